import { ConfigurationError } from '@kron/core'

/** A stretch of a line, as indexes into it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What a field was given, unquoted, and where each of its characters stands in the line. */
export class FieldValue implements Span {
  readonly text: string
  readonly quoted: boolean
  readonly start: number
  readonly end: number
  readonly #origins: readonly number[]

  constructor(text: string, quoted: boolean, span: Span, origins: readonly number[]) {
    this.text = text
    this.quoted = quoted
    this.start = span.start
    this.end = span.end
    this.#origins = origins
  }

  /** The stretch of the line that wrote some characters of this value. */
  spanOf(position: number, length: number): Span {
    const start = this.#origins[position] ?? this.end
    const last = this.#origins[position + length - 1]
    return { start, end: last === undefined ? Math.max(start, this.end) : last + 1 }
  }
}

/** `name=value` as it stands in a line. */
export interface ScannedField {
  readonly name: string
  readonly nameSpan: Span
  readonly value: FieldValue
}

const name = /[A-Za-z_][\w-]*(?==)/y
const word = /[^ \t]+/y

/**
 * Reads the fields at the end of a line. A value ends at white space outside of double quotes; in
 * quotes `\"` and `\\` stand for the character after the backslash, and every other backslash for
 * itself. A `#` that begins a word begins a comment.
 */
export class FieldScanner {
  readonly #line: string
  #at: number

  constructor(line: string, from: number) {
    this.#line = line
    this.#at = from
  }

  /** The next field, or null at the end of the line. Goes on behind what it refuses. */
  next(): ScannedField | null {
    while (this.#isBlank(this.#at)) this.#at++
    if (this.#at >= this.#line.length || this.#line[this.#at] === '#') return null
    const start = this.#at
    name.lastIndex = start
    const found = name.exec(this.#line)?.[0]
    if (found === undefined) throw this.#notAField(start)
    this.#at = start + found.length + 1
    return {
      name: found,
      nameSpan: { start, end: start + found.length },
      value: this.#value(found),
    }
  }

  #value(field: string): FieldValue {
    const start = this.#at
    const origins: number[] = []
    let text = ''
    let opened = -1
    let quoted = false
    for (; this.#at < this.#line.length; this.#at++) {
      const character = this.#line[this.#at]!
      if (opened < 0 && this.#isBlank(this.#at)) break
      if (character === '"') {
        opened = opened < 0 ? this.#at : -1
        quoted = true
        continue
      }
      if (opened >= 0 && character === '\\' && this.#escapesNext()) this.#at++
      origins.push(this.#at)
      text += this.#line[this.#at]!
    }
    if (opened >= 0) throw this.#unclosedQuote(field, opened)
    return new FieldValue(text, quoted, { start, end: this.#at }, origins)
  }

  #escapesNext(): boolean {
    const next = this.#line[this.#at + 1]
    return next === '"' || next === '\\'
  }

  #isBlank(index: number): boolean {
    const character = this.#line[index]
    return character === ' ' || character === '\t'
  }

  #notAField(start: number): ConfigurationError {
    word.lastIndex = start
    const found = word.exec(this.#line)![0]
    this.#at = start + found.length
    return new ConfigurationError(
      'KRON_KRONTAB_SYNTAX',
      'expected a field such as name=backup; a value with white space needs double quotes',
      {
        field: 'line',
        value: found,
        allowed: 'field=value',
        position: start,
        length: found.length,
      },
    )
  }

  #unclosedQuote(field: string, start: number): ConfigurationError {
    const length = this.#line.length - start
    return new ConfigurationError(
      'KRON_KRONTAB_SYNTAX',
      'the quote that opens here is not closed',
      {
        field,
        value: this.#line.slice(start, start + 80),
        allowed: 'a closing "',
        position: start,
        length,
      },
    )
  }
}
