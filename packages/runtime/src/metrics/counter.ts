import { sampleLine } from './exposition-text.js'
import type { Instrument } from './instrument.js'
import { notMeasurable } from './metric-errors.js'

/** A number that only grows, until the process ends. */
export class Counter implements Instrument {
  #value = 0

  get value(): number {
    return this.#value
  }

  increment(amount = 1): void {
    if (!Number.isFinite(amount) || amount < 0) {
      throw notMeasurable('amount', amount, 'a finite number that is not negative')
    }
    this.#value += amount
  }

  expose(lines: string[], name: string, labels: string): void {
    lines.push(sampleLine(name, labels, this.#value))
  }
}
