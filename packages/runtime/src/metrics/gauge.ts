import { sampleLine } from './exposition-text.js'
import type { Instrument } from './instrument.js'
import { notMeasurable } from './metric-errors.js'

/** A number that goes up and down, set as it changes or read when somebody asks. */
export class Gauge implements Instrument {
  #value = 0
  #read: (() => number) | null = null

  /** NaN when the function that is followed fails. */
  get value(): number {
    return this.#read === null ? this.#value : answerOf(this.#read)
  }

  set(value: number): void {
    if (typeof value !== 'number') throw notMeasurable('value', value, 'a number')
    this.#value = value
  }

  add(amount: number): void {
    if (typeof amount !== 'number') throw notMeasurable('amount', amount, 'a number')
    this.#value += amount
  }

  /** From now on the value is whatever `read` answers at the time of a scrape. */
  follow(read: () => number): void {
    if (typeof read !== 'function') throw notMeasurable('read', read, 'a function')
    this.#read = read
  }

  expose(lines: string[], name: string, labels: string): void {
    lines.push(sampleLine(name, labels, this.value))
  }
}

/** One gauge that can't be read must not hide all the others. */
function answerOf(read: () => number): number {
  try {
    const value: unknown = read()
    return typeof value === 'number' ? value : Number.NaN
  } catch {
    return Number.NaN
  }
}
