import { type Instrument, labelText, numberText, sampleLine } from './exposition-text.js'
import { notMeasurable } from './metric-options.js'

/** A number that only grows, until the process ends. */
export class Counter implements Instrument {
  #value = 0
  readonly #read: (() => number) | null

  /** `read` answers what something else has counted, at the time of a scrape. */
  constructor(read: (() => number) | null = null) {
    this.#read = read
  }

  /** NaN when `read` fails. */
  get value(): number {
    return this.#read === null ? this.#value : answerOf(this.#read)
  }

  increment(amount = 1): void {
    if (!Number.isFinite(amount) || amount < 0) {
      throw notMeasurable('amount', amount, 'a finite number that is not negative')
    }
    this.#value += amount
  }

  expose(lines: string[], name: string, labels: string): void {
    lines.push(sampleLine(name, labels, this.value))
  }
}

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

/** What can't be read must not hide all the others. */
function answerOf(read: () => number): number {
  try {
    const value: unknown = read()
    return typeof value === 'number' ? value : Number.NaN
  } catch {
    return Number.NaN
  }
}

/** The upper bounds of a histogram, shared by all that have the same name. */
interface Buckets {
  readonly bounds: Float64Array
  /** `le="0.5"` and so on, with `le="+Inf"` last. */
  readonly labels: readonly string[]
}

export function bucketsOf(bounds: readonly number[]): Buckets {
  const labels = [...bounds, Number.POSITIVE_INFINITY].map((bound) =>
    labelText('le', numberText(bound)),
  )
  return { bounds: Float64Array.from(bounds), labels }
}

/** How often values fell into fixed ranges, and their sum. */
export class Histogram implements Instrument {
  readonly #buckets: Buckets
  /** Of each range by itself; they are added up when exposed. */
  readonly #counts: Float64Array
  #sum = 0

  constructor(buckets: Buckets) {
    this.#buckets = buckets
    this.#counts = new Float64Array(buckets.bounds.length + 1)
  }

  get sum(): number {
    return this.#sum
  }

  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0)
  }

  observe(value: number): void {
    if (!Number.isFinite(value)) throw notMeasurable('value', value, 'a finite number')
    const { bounds } = this.#buckets
    let bucket = 0
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++
    this.#counts[bucket]! += 1
    this.#sum += value
  }

  expose(lines: string[], name: string, labels: string): void {
    const before = labels === '' ? '' : `${labels},`
    let upTo = 0
    for (const [index, le] of this.#buckets.labels.entries()) {
      upTo += this.#counts[index]!
      lines.push(sampleLine(`${name}_bucket`, `${before}${le}`, upTo))
    }
    lines.push(sampleLine(`${name}_sum`, labels, this.#sum))
    lines.push(sampleLine(`${name}_count`, labels, upTo))
  }
}
