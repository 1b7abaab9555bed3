import { messageOf } from '@kron/runtime'
import type { Command } from 'commander'
import { krondProgram, krontabProgram } from '../../packages/krond/src/cli/index.js'
import { simpleCommands } from '../../packages/krond/src/crontab/job-name.js'
import { memoryHost } from '../../packages/krond/testing/command/memory-host.js'
import { type KronctlHost, KronctlProgram } from '../../packages/operator/src/kronctl/index.js'
import { operatorProgram } from '../../packages/operator/src/start/operator-program.js'
import { createProgram, type Host } from '../../packages/server/src/cli/index.js'
import { codeBlocks } from './code-blocks.js'
import { documentationNow } from './documentation-host.js'

export const programs = ['krond', 'krontab', 'kron', 'kronctl', 'kron-operator'] as const
export type Program = (typeof programs)[number]

/** A call of one of our programs in a block of shell text. */
export interface ShellCommand {
  /** 1-based. */
  readonly line: number
  readonly program: Program
  readonly words: readonly string[]
}

/** The words after `sudo` and after `npx -p <package>`. */
function unwrapped(words: readonly string[]): readonly string[] {
  if (words[0] === 'sudo') return unwrapped(words.slice(1))
  if (words[0] === 'npx' && words[1] === '-p') return unwrapped(words.slice(3))
  return words
}

/** Calls of our programs in the `sh` blocks of a text, also in pipes and after `sudo`. */
export function shellCommands(markdown: string): ShellCommand[] {
  return codeBlocks(markdown)
    .filter(({ info }) => info.split(' ')[0] === 'sh')
    .flatMap(({ lines, line }) =>
      wholeLines(lines).flatMap(({ text, index }) => callsIn(text, line + index)),
    )
}

interface WholeLine {
  readonly text: string
  readonly index: number
}

/** Lines that end with a backslash go on with the next one. */
function wholeLines(lines: readonly string[]): WholeLine[] {
  const whole: WholeLine[] = []
  let begun: WholeLine | null = null
  for (const [index, line] of lines.entries()) {
    const text: string = (begun?.text ?? '') + line.replace(/\\$/, ' ')
    const current: WholeLine = { text, index: begun?.index ?? index }
    begun = line.endsWith('\\') ? current : null
    if (begun === null) whole.push(current)
  }
  return begun === null ? whole : [...whole, begun]
}

function callsIn(text: string, line: number): ShellCommand[] {
  const code = text.replace(/(^|\s)#.*$/, '')
  return simpleCommands(code).flatMap((words) => {
    const [name, ...rest] = unwrapped(words)
    // The plugin of kubectl is the same program.
    if (name === 'kubectl' && rest[0] === 'kron') {
      return [{ line, program: 'kronctl', words: rest.slice(1) }]
    }
    const program = programs.find((each) => each === name)
    return program === undefined ? [] : [{ line, program, words: rest }]
  })
}

/** Why the program would not take the words; null when it knows every command and option. */
export function refusalOf({ program, words }: ShellCommand): string | null {
  const parser = parserOf(program)
  idle(parser)
  if (words.length === 0 || words.includes('--help') || words.includes('--version')) return null
  try {
    parser.parse([...words], { from: 'user' })
    return null
  } catch (error) {
    return messageOf(error)
  }
}

export function parserOf(program: Program): Command {
  const host = memoryHost({ now: documentationNow })
  if (program === 'krond') return krondProgram(host, () => {})
  if (program === 'krontab') return krontabProgram(host, () => {})
  // Commands that are parsed and not run ask nothing else of it.
  const { stdout, stderr } = host
  if (program === 'kronctl') {
    return new KronctlProgram({ stdout, stderr } as KronctlHost, 'kronctl', () => {}).command
  }
  if (program === 'kron-operator') return operatorProgram(host)
  return createProgram({ stdout, stderr } as Host)
}

/** Has commands, and commands of commands, do nothing. */
function idle(command: Command): void {
  for (const each of command.commands) {
    if (each.commands.length === 0) each.action(() => {})
    idle(each)
  }
}
