import { InvalidCronExpressionError } from '../errors/index.js'
import type { DialectRules } from './dialect.js'
import { type Field, numberOfName, spelledOutStep } from './field.js'
import type { MonthDays } from './month-days.js'
import { QuartzDays } from './quartz-days.js'

const star = 42
const comma = 44
const hyphen = 45
const slash = 47
const zero = 48
const nine = 57
/** Beyond every range and every step that makes a difference: numbers stop growing here. */
const hugeNumber = 1_000_000

/** What a field matches. `low` holds 0..31, `high` 32..59; Quartz's tokens are kept apart. */
export interface FieldSet {
  readonly low: number
  readonly high: number
  readonly restricted: boolean
  readonly monthDays: MonthDays | null
}

/**
 * Reads one field in a single pass over its characters. Each reason completes the sentence
 * `<field> field <reason>`, and each error knows where in the expression it happened.
 */
export class FieldParser {
  readonly #text: string
  readonly #start: number
  readonly #end: number
  readonly #field: Field
  readonly #rules: DialectRules
  #at: number
  #low = 0
  #high = 0
  #quartz: QuartzDays | null = null
  /** Whether the value just read was written as a name. */
  #named = false

  constructor(text: string, start: number, end: number, field: Field, rules: DialectRules) {
    this.#text = text
    this.#start = start
    this.#at = start
    this.#end = end
    this.#field = field
    this.#rules = rules
  }

  parse(): FieldSet {
    const { min, max } = this.#field
    const first = this.#text.charCodeAt(this.#at)
    if (this.#end - this.#at === 1 && (first === star || this.#isQuestionMark(first))) {
      this.#addRange(min, max, 1)
      return { low: this.#low, high: this.#high, restricted: false, monthDays: null }
    }
    for (;;) {
      this.#element()
      if (this.#at === this.#end) break
      if (this.#text.charCodeAt(this.#at) !== comma) this.#unexpected(this.#at)
      this.#at++
    }
    const monthDays = this.#quartz === null ? null : this.#quartz.monthDays()
    return { low: this.#low, high: this.#high, restricted: true, monthDays }
  }

  /** A number, a name, a range, `*` or a range with a step, or one of Quartz's tokens. */
  #element(): void {
    const start = this.#at
    if (start === this.#end || this.#text.charCodeAt(start) === comma) {
      this.#fail('has an empty list element', start)
    }
    if (this.#text.charCodeAt(start) === star) this.#starElement(start)
    else if (!this.#rules.quartz || !this.#quartzElement(start)) this.#valueOrRange(start)
  }

  #valueOrRange(start: number): void {
    const low = this.#value()
    if (this.#at < this.#end && this.#text.charCodeAt(this.#at) === hyphen) {
      this.#at++
      this.#addRange(low, this.#rangeEnd(start, low), this.#isStep() ? this.#step() : 1)
    } else if (this.#isStep()) {
      if (!this.#rules.quartz) {
        this.#fail('has a step after a single value (a step follows * or a range)', start)
      }
      this.#addRange(this.#isSeven(low) ? 0 : low, this.#field.max, this.#step())
    } else this.#addRange(low, low, 1)
  }

  #rangeEnd(start: number, low: number): number {
    if (this.#at === this.#end || this.#text.charCodeAt(this.#at) === comma) {
      this.#fail('has a range without an end', start)
    }
    const high = this.#value()
    // SUN closes a range as the seventh day, opens one as the zeroth.
    if (high === 0 && low > 0 && this.#named && this.#field.name === 'weekday') return 7
    if (low > high) this.#fail(`has a range that runs backwards (${low} is after ${high})`, start)
    return high
  }

  #starElement(start: number): void {
    this.#at++
    if (!this.#isStep()) {
      const alone = this.#rules.steps ? 'stands alone or takes a step' : 'stands alone'
      this.#fail(`mixes * with something else (it ${alone})`, start)
    }
    this.#addRange(this.#field.min, this.#field.max, this.#step())
  }

  #isStep(): boolean {
    if (this.#at === this.#end || this.#text.charCodeAt(this.#at) !== slash) return false
    if (!this.#rules.steps) {
      this.#fail(
        `contains a step ("/"), which this dialect does not allow${this.#withoutStep()}`,
        this.#at,
      )
    }
    return true
  }

  /** What to write in the place of the element at hand. */
  #withoutStep(): string {
    const start = Math.max(this.#start, this.#text.lastIndexOf(',', this.#at) + 1)
    const comma = this.#text.indexOf(',', this.#at)
    const end = comma < 0 ? this.#end : Math.min(comma, this.#end)
    const element = this.#text.slice(start, end)
    const instead = spelledOutStep(element, this.#field)
    return instead === null ? '' : `: write ${instead} instead of ${element}`
  }

  #step(): number {
    const at = ++this.#at
    const step = this.#digits()
    if (step < 0) this.#fail('has a "/" without a number after it', at - 1)
    if (step === 0) this.#fail('has a step of 0 (a step is at least 1)', at)
    return step
  }

  /** A number or name within the field's range. */
  #value(): number {
    const at = this.#at
    this.#named = false
    const number = this.#digits()
    if (number < 0) return this.#name(at)
    const isSeven = this.#isSeven(number)
    if (isSeven && this.#rules.sundayAsSeven) return 7
    if (number < this.#field.min || number > this.#field.max) {
      const hint = isSeven ? ' (Sunday is 0)' : ''
      const { min, max } = this.#field
      const written = this.#text.slice(at, this.#at)
      this.#fail(`has the value ${written}, outside of ${min}-${max}${hint}`, at)
    }
    return number
  }

  /** The digits from here on as a number, or -1 when there are none. */
  #digits(): number {
    const start = this.#at
    let value = 0
    while (this.#at < this.#end) {
      const digit = this.#text.charCodeAt(this.#at)
      if (digit < zero || digit > nine) break
      value = Math.min(value * 10 + digit - zero, hugeNumber)
      this.#at++
    }
    return this.#at === start ? -1 : value
  }

  #name(start: number): number {
    let end = start
    while (end < this.#end && isLetter(this.#text.charCodeAt(end))) end++
    if (end === start) this.#unexpected(start)
    const name = this.#text.slice(start, end)
    const value = numberOfName(this.#field, name)
    if (value >= 0 && this.#rules.names) {
      this.#at = end
      this.#named = true
      return value
    }
    if (value >= 0) {
      this.#fail(
        `contains the name "${name}", which this dialect does not allow: write ${value} instead`,
        start,
      )
    }
    const { names } = this.#field
    return this.#fail(
      names.length > 0 && this.#rules.names
        ? `contains the unknown name "${name}" (names are ${names[0]} to ${names.at(-1)})`
        : `contains "${name}" where a number is expected`,
      start,
    )
  }

  #quartzElement(start: number): boolean {
    const { name } = this.#field
    if (name !== 'day' && name !== 'weekday') return false
    let end = start
    while (end < this.#end && this.#text.charCodeAt(end) !== comma) end++
    const token = this.#text.slice(start, end)
    // The W of WED, WED-FRI and the like is no token of its own.
    if (!/[LW#]/i.test(name === 'weekday' ? token.replace(/WED/gi, '') : token)) return false
    this.#quartz ??= new QuartzDays()
    const reason = this.#quartz.add(token, this.#field)
    if (reason !== null) this.#fail(reason, start)
    this.#at = end
    return true
  }

  #isQuestionMark(code: number): boolean {
    return code === 63 && this.#rules.quartz && /day$/.test(this.#field.name)
  }

  #addRange(low: number, high: number, step: number): void {
    for (let value = low; value <= high; value += step) {
      const bit = this.#isSeven(value) ? 0 : value
      if (bit < 32) this.#low |= 1 << bit
      else this.#high |= 1 << (bit - 32)
    }
  }

  /** Seven as a day of the week: the second way to write Sunday. */
  #isSeven(value: number): boolean {
    return value === 7 && this.#field.name === 'weekday'
  }

  #unexpected(at: number): never {
    const character = String.fromCodePoint(this.#text.codePointAt(at)!)
    return this.#fail(`contains the unexpected character ${JSON.stringify(character)}`, at)
  }

  #fail(reason: string, position: number): never {
    const value = this.#text.slice(position, this.#end)
    throw new InvalidCronExpressionError(this.#text, this.#field.name, reason, value, position)
  }
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}
