import { ConfigurationError, quote } from '../errors/index.js'

/** A stretch of the whole text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What was written in a modifier, and where each of its characters stands in the whole text. */
export class Value implements Span {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly #origins: readonly number[] | null

  /** `origins` are the places of the characters, where escapes moved them. */
  constructor(text: string, start: number, end: number, origins: readonly number[] | null = null) {
    this.text = text
    this.start = start
    this.end = end
    this.#origins = origins
  }

  /** The index into the whole text of a character of this value, or of its end. */
  originOf(index: number): number {
    return this.#origins === null ? this.start + index : (this.#origins[index] ?? this.end - 1)
  }
}

/** What separates the parts of a schedule. Loops, since `\s+$` is quadratic on hostile texts. */
export function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r'
}

/** The part of `text` up to `end` without the blanks around it. */
export function withoutBlanks(text: string, end = text.length): Span {
  let start = 0
  while (start < end && isBlank(text[start])) start++
  while (end > start && isBlank(text[end - 1])) end--
  return { start, end }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** Walks through a schedule text and makes the errors that point into it. */
export class Scanner {
  readonly text: string
  position = 0
  /** What is being read, for errors. */
  field = 'schedule'

  constructor(text: string) {
    this.text = text
  }

  get atEnd(): boolean {
    return this.position >= this.text.length
  }

  skipBlanks(): void {
    while (isBlank(this.text[this.position])) this.position++
  }

  accept(character: string): boolean {
    if (this.text[this.position] !== character) return false
    this.position++
    return true
  }

  /** Passes over what a sticky pattern matches here. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position
    const match = pattern.exec(this.text)
    if (match !== null) this.position += match[0].length
    return match
  }

  /** A quoted text, or the stretch that a sticky pattern matches, without blanks around it. */
  value(bare: RegExp): Value {
    this.skipBlanks()
    const start = this.position
    if (this.text[start] === '"') return this.#quoted()
    const text = this.match(bare)![0].trimEnd()
    return new Value(text, start, start + text.length)
  }

  fail(reason: string, allowed: string, start = this.position, length = 1): ConfigurationError {
    const { field, text } = this
    const value = text.slice(start, start + length)
    const got = value === '' ? 'the end of the text' : quote(value)
    return new ConfigurationError(
      'KRON_SCHEDULE_SYNTAX',
      `${field}: ${reason} at ${start}, expected ${allowed}, got ${got}`,
      { field, value, allowed, position: start, length: Math.max(1, length), text },
    )
  }

  /** The strings of JSON. */
  #quoted(): Value {
    const start = this.position++
    const origins: number[] = []
    let decoded = ''
    while (!this.accept('"')) {
      origins.push(this.position)
      decoded += this.#character(start)
    }
    return new Value(decoded, start, this.position, origins)
  }

  #character(opening: number): string {
    const character = this.text[this.position]
    if (character === undefined) {
      throw this.fail('a quote is not closed', 'a closing "', opening, this.text.length - opening)
    }
    if (character < ' ') throw this.fail('a control character', 'an escape such as \\n')
    if (character !== '\\') {
      this.position++
      return character
    }
    return this.#escape()
  }

  #escape(): string {
    const code = this.match(/\\u([0-9a-fA-F]{4})/y)
    if (code !== null) return String.fromCharCode(Number.parseInt(code[1]!, 16))
    const known = escapes.get(this.text[this.position + 1] ?? '')
    if (known === undefined) {
      throw this.fail(
        'an unknown escape',
        'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000',
        this.position,
        2,
      )
    }
    this.position += 2
    return known
  }
}

/** The error for anything but a string in place of a schedule text. */
export function notText(value: unknown): ConfigurationError {
  const allowed = 'a schedule as text such as 0 2 * * * @win(after,3h)'
  const shown = value === null ? 'null' : `a value of type ${typeof value}`
  return new ConfigurationError(
    'KRON_SCHEDULE_SYNTAX',
    `schedule must be ${allowed}, got ${shown}`,
    { field: 'schedule', value: shown, allowed, position: 0, length: 1, text: '' },
  )
}
