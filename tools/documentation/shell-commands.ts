import type { Command } from 'commander'
import { simpleCommands } from '../../packages/krond/src/crontab/command-words.js'
import { krondProgram, krontabProgram, memoryHost } from '../../packages/krond/src/index.js'
import { codeBlocks } from './code-blocks.js'
import { documentationNow } from './documentation-host.js'

/** A call of one of our programs in a block of shell text. */
export interface ShellCommand {
  /** 1-based. */
  readonly line: number
  readonly program: 'krond' | 'krontab'
  readonly words: readonly string[]
}

const wrappers = new Set(['sudo', 'npx'])

/** Calls of `krond` and `krontab` in the `sh` blocks of a text, also in pipes and after `sudo`. */
export function shellCommands(markdown: string): ShellCommand[] {
  return codeBlocks(markdown)
    .filter(({ info }) => info === 'sh')
    .flatMap(({ lines, line }) => lines.flatMap((text, index) => callsIn(text, line + index)))
}

function callsIn(text: string, line: number): ShellCommand[] {
  const code = text.replace(/(^|\s)#.*$/, '')
  return simpleCommands(code).flatMap((words) => {
    const [program, ...rest] = words.slice(words.findIndex((word) => !wrappers.has(word)))
    return program === 'krond' || program === 'krontab' ? [{ line, program, words: rest }] : []
  })
}

/** Why the program would not take the words; null when it knows every command and option. */
export function refusalOf({ program, words }: ShellCommand): string | null {
  const host = memoryHost({ now: documentationNow })
  const parser: Command =
    program === 'krond' ? krondProgram(host, () => {}) : krontabProgram(host, () => {})
  for (const command of parser.commands) command.action(() => {})
  if (words.length === 0 || words.includes('--help') || words.includes('--version')) return null
  try {
    parser.parse([...words], { from: 'user' })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
