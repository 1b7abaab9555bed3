import type { Zone } from '@kron/core'
import { wallDate, wallMinute, wallTime } from '../local-time/index.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Spans that people count time in; the ends of columns and the marks of axes fall on them. */
const defaultSpans: readonly number[] = [
  ...[1_000, 2_000, 5_000, 10_000, 15_000, 30_000],
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 56, 112, 364].map((count) => count * day),
]

/** Buckets that go into a column, so that there are at most `columns` of a usual span. */
export function bucketsPerColumn(buckets: number, bucketMs: number, columns: number): number {
  const least = Math.ceil(buckets / columns)
  const span = defaultSpans.find((usual) => usual % bucketMs === 0 && usual >= least * bucketMs)
  // Rather an odd span than a chart of a few columns.
  return span === undefined || span > 3 * least * bucketMs ? least : span / bucketMs
}

export interface Tick {
  /** Index of the column. */
  readonly column: number
  /** Start of the column. */
  readonly at: number
}

export interface Axis {
  readonly ticks: readonly Tick[]
  /** Milliseconds from one tick to the next. */
  readonly spacing: number
}

/** Marks on wall times such as each full hour, at least `apart` columns from each other. */
export function axisOf(
  from: number,
  columnMs: number,
  columns: number,
  apart: number,
  zone: Zone,
): Axis {
  const spacing = defaultSpans.find((span) => span >= columnMs * apart) ?? columnMs * columns
  const ticks: Tick[] = []
  for (let column = 0; column < columns; column++) {
    const at = from + column * columnMs
    const wall = wallTime(at, zone)
    const reached = Math.floor((wall + columnMs - 1) / spacing) * spacing >= wall
    if (reached && column - (ticks.at(-1)?.column ?? -apart) >= apart) ticks.push({ column, at })
  }
  return { ticks, spacing }
}

/** `14:00`, or a date where ticks are days apart. */
export function tickText({ at }: Tick, { spacing }: Axis, zone: Zone): string {
  const wall = wallTime(at, zone)
  return spacing >= day ? wallDate(wall).slice(5) : wallMinute(wall)
}
