import { InstantSet, type InstantSpan } from './instant-set.js'
import type { Moment } from './moment.js'
import type { Stretch } from './timeline.js'

/** After a failure the scheduler may wait this long before it tries the storage again. */
const backoffMs = 60_000

/** When the storage was down, or up again for less than the backoff, in elapsed time. */
export class Outages {
  readonly #spans: readonly InstantSpan[]
  /** How much outage there was before each span. */
  readonly #before: readonly number[]

  constructor(
    storageDown: readonly (readonly [from: number, to: number])[],
    stretches: readonly Stretch[],
  ) {
    const down = new InstantSet()
    for (const stretch of stretches) {
      for (const [from, to] of storageDown) {
        if (from > stretch.to.wall || to < stretch.from.wall) continue
        const elapsedMinusWall = stretch.from.elapsed - stretch.from.wall
        const first = Math.max(from, stretch.from.wall) + elapsedMinusWall
        const last = Math.min(to, stretch.to.wall) + elapsedMinusWall
        down.add(first, last + backoffMs)
      }
    }
    this.#spans = down.spans
    let sum = 0
    this.#before = this.#spans.map(({ from, to }) => {
      sum += to - from
      return sum - (to - from)
    })
  }

  /** Milliseconds from one moment to another in which the storage could be used. */
  usableMs(from: Moment, to: Moment): number {
    return to.elapsed - this.#downUntil(to.elapsed) - (from.elapsed - this.#downUntil(from.elapsed))
  }

  /** Since when, in elapsed time, the storage has been down; null: it is up. */
  downSince({ elapsed }: Moment): number | null {
    const span = this.#spans[this.#lastFrom(elapsed)]
    return span !== undefined && elapsed <= span.to ? span.from : null
  }

  #downUntil(elapsed: number): number {
    const at = this.#lastFrom(elapsed)
    if (at < 0) return 0
    const { from, to } = this.#spans[at]!
    return this.#before[at]! + Math.min(elapsed, to) - from
  }

  /** The last span that began at or before, -1 when there is none. */
  #lastFrom(elapsed: number): number {
    let low = 0
    let high = this.#spans.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#spans[middle]!.from <= elapsed) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
