import type { Segments } from './decode.js'

/** About half a year, so that a bucket rarely holds more than one or two transitions. */
const bucketSeconds = 2 ** 24

/**
 * A time zone as sorted segments of constant offset. Looking up an instant is an index into
 * buckets of equal width and a step or two from there: constant time, no allocation.
 */
export class Zone {
  readonly name: string
  /** Epoch seconds at which each segment begins; the first is -Infinity. */
  readonly starts: Float64Array
  /** Seconds east of UTC in each segment. */
  readonly offsets: Int32Array
  /** Whether local time is UTC itself, always. */
  readonly isUtc: boolean
  readonly #buckets: Uint16Array
  readonly #origin: number
  readonly #last: number

  constructor(name: string, segments: Segments) {
    this.name = name
    this.starts = segments.starts
    this.offsets = segments.offsets
    this.isUtc = this.starts.length === 1 && this.offsets[0] === 0
    this.#last = this.starts.length - 1
    this.#origin = this.#last === 0 ? Number.POSITIVE_INFINITY : this.starts[1]!
    this.#buckets = bucketsOf(this.starts)
  }

  /** Index of the segment that holds this time, in epoch seconds, whole or not. */
  segmentAt(seconds: number): number {
    if (seconds < this.#origin) return 0
    const starts = this.starts
    if (seconds >= starts[this.#last]!) return this.#last
    let index = this.#buckets[((seconds - this.#origin) / bucketSeconds) | 0]!
    while (starts[index + 1]! <= seconds) index++
    return index
  }

  offsetAt(seconds: number): number {
    return this.offsets[this.segmentAt(seconds)]!
  }

  /** Epoch seconds of the first change of offset strictly after `seconds`, or Infinity. */
  nextTransition(seconds: number): number {
    const next = this.segmentAt(seconds) + 1
    return next > this.#last ? Number.POSITIVE_INFINITY : this.starts[next]!
  }
}

function bucketsOf(starts: Float64Array): Uint16Array {
  if (starts.length === 1) return new Uint16Array(0)
  const origin = starts[1]!
  const buckets = new Uint16Array(Math.floor((starts.at(-1)! - origin) / bucketSeconds) + 1)
  let segment = 1
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    const opens = origin + bucket * bucketSeconds
    while (segment + 1 < starts.length && starts[segment + 1]! <= opens) segment++
    buckets[bucket] = segment
  }
  return buckets
}

export const utc = new Zone('UTC', {
  starts: Float64Array.of(Number.NEGATIVE_INFINITY),
  offsets: Int32Array.of(0),
})
