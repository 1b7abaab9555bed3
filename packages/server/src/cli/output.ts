import { type Column, plain, type Style, styleFor, type Tone, table } from '@kron/runtime'
import { badArgument } from './argument.js'
import type { Host } from './host.js'
import { clean } from './text/clean.js'

export interface OutputOptions {
  readonly format: string
  /** False with `--no-color`. */
  readonly color: boolean
}

/** Text, or text with a tone. What it holds may come from anywhere, and is cleaned when shown. */
export type Cell = string | readonly [tone: Tone, text: string]

/** What a command prints, as text for people or as JSON. */
export class Output {
  readonly host: Host
  readonly isJson: boolean
  readonly style: Style

  constructor(host: Host, options: OutputOptions) {
    this.host = host
    this.isJson = isJsonWanted(options.format)
    const { isTerminal } = host.stdout
    this.style = this.isJson
      ? plain
      : styleFor({ isTerminal, env: host.env, allowed: options.color })
  }

  get now(): number {
    return this.host.clock.now().getTime()
  }

  printJson(value: unknown): void {
    this.host.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
  }

  printLines(lines: readonly Cell[]): void {
    if (lines.length === 0) return
    this.host.stdout.write(`${lines.map((line) => this.#shown(line)).join('\n')}\n`)
  }

  /** One line of several parts, for what comes one by one and can't be a table. */
  printWords(words: readonly Cell[]): void {
    this.host.stdout.write(`${words.map((word) => this.#shown(word)).join('  ')}\n`)
  }

  printTable(columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
    const cells = rows.map((row) => row.map((cell) => this.#shown(cell)))
    const lines = table(columns, cells, (text) => this.style('faint', text))
    this.host.stdout.write(`${lines.join('\n')}\n`)
  }

  /** A label and a value on each line; values that are null are left out. */
  printDetails(details: readonly (readonly [label: string, value: Cell | null])[]): void {
    const shown = details.filter(([, value]) => value !== null)
    const widest = Math.max(0, ...shown.map(([label]) => label.length))
    const lines = shown.map(([label, value]) =>
      `${this.style('faint', label.padEnd(widest))}  ${this.#shown(value!)}`.trimEnd(),
    )
    if (lines.length > 0) this.host.stdout.write(`${lines.join('\n')}\n`)
  }

  /** What people should know and programs that read stdout should not trip over. */
  mention(text: string): void {
    this.host.stderr.write(`${clean(text)}\n`)
  }

  #shown(cell: Cell): string {
    return typeof cell === 'string' ? clean(cell) : this.style(cell[0], clean(cell[1]))
  }
}

function isJsonWanted(format: string): boolean {
  if (format === 'text' || format === 'json') return format === 'json'
  throw badArgument(`--format must be text or json, got ${JSON.stringify(format)}`)
}
