import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Account, handOver } from './account.ts'

export interface Finished {
  readonly lines: readonly string[]
  /** The first command that failed, and how; null when all went well. */
  readonly failure: string | null
}

/** The first command of a block that fails, also within functions. */
const rememberFailures = `set -E
trap '__failed="\${__failed:-$? from: $BASH_COMMAND}"' ERR`

/** One bash, in which a reader pastes one block after the other: variables and `cd` stay. */
export class Shell {
  readonly #bash: ChildProcessWithoutNullStreams
  readonly #folder = mkdtempSync(join(tmpdir(), 'first-steps-shell-'))
  #blocks = 0

  constructor(folder: string, env: Readonly<Record<string, string>>, account: Account = {}) {
    handOver(this.#folder, account)
    this.#bash = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env, ...account })
    this.#bash.stdin.write(`${rememberFailures}\n`)
  }

  /** Runs a block to its end; its output is shown at once. */
  async run(script: string, show: (text: string) => void): Promise<Finished> {
    const block = join(this.#folder, `block-${++this.#blocks}`)
    const end = `--- end of block ${this.#blocks} ---`
    writeFileSync(block, script)
    let text = ''
    const ended = new Promise<void>((resolve, reject) => {
      const take = (data: Buffer): void => {
        text += data.toString()
        show(data.toString().replace(`${end}\n`, ''))
        if (text.includes(end)) resolve()
      }
      this.#bash.stdout.removeAllListeners('data').on('data', take)
      this.#bash.stderr.removeAllListeners('data').on('data', take)
      this.#bash.once('exit', () => reject(new Error(`the shell ended in: ${script}`)))
    })
    // Without its stdin, which would be the next block. The failure is written aside.
    const lines = [
      '__failed=',
      `eval "$(cat '${block}')" < /dev/null`,
      `printf %s "$__failed" > '${block}.failed'`,
      `env -0 > '${this.#folder}/env'; pwd > '${this.#folder}/pwd'`,
      `echo '${end}'`,
    ]
    this.#bash.stdin.write(`${lines.join('\n')}\n`)
    await ended
    const failure = readFileSync(`${block}.failed`, 'utf8')
    const printed = text.slice(0, text.indexOf(end)).split('\n')
    return { lines: printed, failure: failure === '' ? null : failure }
  }

  /** Where the reader is now, for another terminal beside this one. */
  async place(): Promise<{ folder: string; env: Record<string, string> }> {
    await this.run(':', () => {})
    const variables = readFileSync(`${this.#folder}/env`, 'utf8').split('\0').filter(Boolean)
    const env = Object.fromEntries(
      variables.map((each) => [
        each.slice(0, each.indexOf('=')),
        each.slice(each.indexOf('=') + 1),
      ]),
    )
    return { folder: readFileSync(`${this.#folder}/pwd`, 'utf8').trim(), env }
  }

  async close(): Promise<void> {
    this.#bash.removeAllListeners('exit')
    const ended = once(this.#bash, 'exit')
    this.#bash.stdin.end()
    await ended
    rmSync(this.#folder, { recursive: true })
  }
}
