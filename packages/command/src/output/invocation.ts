import { relative, resolve } from 'node:path'
import { type Column, plain, type Style, styleFor, type Tone, table } from '@kron/runtime'
import { badArgument, choiceArgument } from '../argument/argument.js'
import type { CommandHost } from '../program/index.js'
import { clean } from '../text/clean.js'

/** Options that every command has, as the command line gives them. */
export interface OutputOptions {
  readonly format: string
  /** False with `--no-color`. */
  readonly color: boolean
  readonly quiet?: boolean
}

const formats = ['text', 'json'] as const

export type Format = (typeof formats)[number]

/** Text, or text with a tone. What it holds may come from anywhere, and is cleaned when shown. */
export type Cell = string | readonly [tone: Tone, text: string]

/** One run of a command: the process, and what the common options say. */
export class Invocation<H extends CommandHost = CommandHost> {
  readonly program: string
  readonly host: H
  /** When the command was called. */
  readonly now: number
  readonly format: Format
  readonly quiet: boolean
  readonly style: Style
  /** For what goes to stderr. */
  readonly errorStyle: Style

  constructor(host: H, options: OutputOptions, program: string) {
    this.program = program
    const wishes = { env: host.env, allowed: options.color }
    this.host = host
    this.now = host.clock.now().getTime()
    this.format = choiceArgument('--format', options.format, formats)
    this.quiet = options.quiet === true
    this.style = this.isJson ? plain : styleFor({ ...wishes, isTerminal: host.stdout.isTerminal })
    this.errorStyle = styleFor({ ...wishes, isTerminal: host.stderr.isTerminal })
  }

  get isJson(): boolean {
    return this.format === 'json'
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
    this.printLines([JSON.stringify(value, null, 2)])
  }

  /** A line for each. */
  printCells(cells: readonly Cell[]): void {
    this.printLines(cells.map((cell) => this.#shown(cell)))
  }

  /** One line of several parts, for what comes one by one and can't be a table. */
  printWords(words: readonly Cell[]): void {
    this.printLines([words.map((word) => this.#shown(word)).join('  ')])
  }

  printTable(columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
    const cells = rows.map((row) => row.map((cell) => this.#shown(cell)))
    this.printLines(table(columns, cells, (text) => this.style('faint', text)))
  }

  /** A label and a value on each line; values that are null are left out. */
  printDetails(details: readonly (readonly [label: string, value: Cell | null])[]): void {
    const known = details.filter(([, value]) => value !== null)
    const widest = Math.max(0, ...known.map(([label]) => label.length))
    const line = ([label, value]: (typeof details)[number]): string =>
      `${this.style('faint', label.padEnd(widest))}  ${this.#shown(value!)}`.trimEnd()
    this.printLines(known.map(line))
  }

  /** Writes the file that `--out` names. */
  writeFile(out: string, content: string): string {
    const path = this.absolute(out)
    try {
      this.host.writeFile(path, content)
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
      throw badArgument('--out', `can't write ${JSON.stringify(out)}: ${reason}`)
    }
    return path
  }

  /** Something that is wrong although the command goes on: a line to stderr as errors have it. */
  complain(message: string, more: readonly string[] = []): void {
    this.host.stderr.write(`${[`${this.program}: ${message}`, ...more].join('\n')}\n`)
  }

  /** The same for what is only good to know; nothing with `--quiet`. */
  note(message: string, more: readonly string[] = []): void {
    if (!this.quiet) this.complain(message, more)
  }

  #shown(cell: Cell): string {
    return typeof cell === 'string' ? clean(cell) : this.style(cell[0], clean(cell[1]))
  }
}
