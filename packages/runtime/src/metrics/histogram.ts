import { labelText, numberText, sampleLine } from './exposition-text.js'
import type { Instrument } from './instrument.js'
import { notMeasurable } from './metric-errors.js'

/** The upper bounds of a histogram, shared by all that have the same name. */
export interface Buckets {
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
