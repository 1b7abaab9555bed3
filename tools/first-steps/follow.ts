import type { Account } from './account.ts'
import { areShown, isAll } from './masked.ts'
import { Shell } from './shell.ts'
import { StayingCommand } from './staying-command.ts'
import type { Step } from './step.ts'

export interface Reader {
  /** Where the reader starts. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly account?: Account
  /** What the reader has: `cluster`, `checkout`. */
  readonly has: ReadonlySet<string>
  readonly show: (text: string) => void
}

/** What went otherwise than a document says; where, and what was printed. */
export class Surprise extends Error {
  readonly line: number

  constructor(line: number, message: string, printed: readonly string[]) {
    super(`${message}\n${printed.map((each) => `    ${each}`).join('\n')}`)
    this.line = line
  }
}

export interface Followed {
  readonly done: number
  /** Steps that were skipped, by the thing that the reader lacks. */
  readonly leftOut: readonly Step[]
}

/** Does the steps in order, like a reader who sees the document for the first time. */
export async function follow(steps: readonly Step[], reader: Reader): Promise<Followed> {
  const shell = new Shell(reader.folder, reader.env, reader.account)
  const staying: StayingCommand[] = []
  const leftOut: Step[] = []
  try {
    for (const step of steps) {
      if (step.needs !== null && !reader.has.has(step.needs)) {
        leftOut.push(step)
        continue
      }
      reader.show(`\n$ ${step.script.replaceAll('\n', '\n> ')}\n`)
      if (!step.stays) await finish(step, shell, reader)
      else {
        const command = await begin(step, shell, reader)
        if (step.briefly) await stop(command)
        else staying.push(command)
      }
    }
    for (const command of staying.toReversed()) await stop(command)
  } finally {
    await Promise.all(staying.map((command) => command.stop()))
    await shell.close()
  }
  return { done: steps.length - leftOut.length, leftOut }
}

async function stop(command: StayingCommand): Promise<void> {
  if (await command.stop()) return
  throw new Surprise(0, `Ctrl-C does not stop: ${command.script}`, command.lines)
}

async function begin(step: Step, shell: Shell, reader: Reader): Promise<StayingCommand> {
  const command = new StayingCommand(
    step.script,
    { ...(await shell.place()), account: reader.account },
    reader.show,
  )
  const wanted = step.printed
  const isThere = (lines: readonly string[]): boolean =>
    wanted === null ? lines.join('').trim() !== '' : areShown(wanted, lines)
  // A command that says nothing is there as soon as it runs; what comes next finds out.
  if (wanted === null || (await command.until(isThere))) return command
  await command.stop()
  throw new Surprise(step.line, 'it does not print what the document shows, but:', command.lines)
}

async function finish(step: Step, shell: Shell, reader: Reader): Promise<void> {
  const { lines, failure } = await shell.run(step.script, reader.show)
  // A console block may show a failure with its output.
  if (failure !== null && step.printed === null) {
    throw new Surprise(step.line, `it fails with ${failure}`, lines)
  }
  if (step.printed !== null && !isAll(step.printed, lines)) {
    throw new Surprise(step.line, 'it does not print what the document shows, but:', lines)
  }
}
