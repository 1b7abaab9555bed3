import { relative, resolve } from 'node:path'
import { plain, type Style, styleFor } from '@kron/runtime'
import { badArgument } from './argument.js'
import type { CommandHost } from './command-host.js'

/** Options that every command has, as the command line gives them. */
export interface OutputOptions {
  readonly format: string
  /** False with `--no-color`. */
  readonly color: boolean
}

export type Format = 'text' | 'json'

/** One run of a command: the process, and what the common options say. */
export class Invocation<H extends CommandHost = CommandHost> {
  readonly program: string
  readonly host: H
  readonly now: number
  readonly format: Format
  readonly style: Style
  /** For what goes to stderr. */
  readonly errorStyle: Style

  constructor(host: H, options: OutputOptions, program: string) {
    this.program = program
    const wishes = { env: host.env, allowed: options.color }
    this.host = host
    this.now = host.clock.now().getTime()
    this.format = formatOf(options.format)
    this.style =
      this.format === 'json' ? plain : styleFor({ ...wishes, isTerminal: host.stdout.isTerminal })
    this.errorStyle = styleFor({ ...wishes, isTerminal: host.stderr.isTerminal })
  }

  absolute(path: string): string {
    return resolve(this.host.cwd, path)
  }

  /** A path as people see it: from the current folder if it is below, else whole. */
  shown(path: string): string {
    const below = relative(this.host.cwd, path)
    return below === '' || below.startsWith('..') ? path : below
  }

  printLines(lines: readonly string[]): void {
    if (lines.length > 0) this.host.stdout.write(`${lines.join('\n')}\n`)
  }

  printJson(value: unknown): void {
    this.host.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
  }

  /** One line to stderr that begins as errors do, and lines that belong to it. */
  complain(message: string, more: readonly string[] = []): void {
    this.host.stderr.write(`${[`${this.program}: ${message}`, ...more].join('\n')}\n`)
  }
}

function formatOf(text: string): Format {
  if (text === 'text' || text === 'json') return text
  throw badArgument('--format', `--format must be text or json, got ${JSON.stringify(text)}`)
}
