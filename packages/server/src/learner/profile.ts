/**
 * How changes are spread over the hour, the day and the week. The counts of a profile are kept in a
 * unit that grows with time, so that all of them fade together without being touched.
 */
export interface ProfileShape {
  readonly periodMs: number
  readonly bins: number
  /** After this time a change counts 1/e of a new one. */
  readonly fadeMs: number
  /** Where its bins begin among those of all profiles. */
  readonly at: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const weekMs = 7 * dayMs

export const profiles: readonly ProfileShape[] = [
  { periodMs: hourMs, bins: 60, fadeMs: 5 * dayMs, at: 0 },
  { periodMs: dayMs, bins: 48, fadeMs: 21 * dayMs, at: 60 },
  { periodMs: weekMs, bins: 168, fadeMs: 56 * dayMs, at: 108 },
]
export const profileBins = 276

/** What is remembered of a profile beside its counts. */
export interface ProfileSums {
  changes: number
  exposureMs: number
  /** What a change counts now. */
  unit: number
}

export const newProfile = (): ProfileSums => ({ changes: 0, exposureMs: 0, unit: 1 })

/** Rates are `counts[bin] * slope + floor`. */
export interface ProfileLine {
  slope: number
  floor: number
}

/** Periods of the mean rate that each bin is taken to have been seen before. */
const priorPeriods = 0.5

/** What turns counts into rates; `priorMs` is the time in which half a change is expected at first. */
export function lineOf(
  { periodMs, bins }: ProfileShape,
  { changes, exposureMs, unit }: ProfileSums,
  priorMs: number,
  line: ProfileLine,
): void {
  const mean = (changes + 0.5) / (exposureMs + priorMs)
  const periods = exposureMs / periodMs + priorPeriods
  line.slope = bins / (periodMs * unit * periods)
  line.floor = (priorPeriods * mean) / periods
}

export const binOf = ({ periodMs, bins, at }: ProfileShape, instant: number): number =>
  at + Math.floor(((instant % periodMs) * bins) / periodMs)

/** A change is half in its bin, and a quarter in each neighbour. */
export function countChange(
  shape: ProfileShape,
  sums: ProfileSums,
  counts: Float32Array,
  instant: number,
  part: number,
): void {
  const { bins, at } = shape
  const bin = binOf(shape, instant) - at
  const counted = part * sums.unit
  counts[at + bin]! += counted / 2
  counts[at + ((bin + 1) % bins)]! += counted / 4
  counts[at + ((bin + bins - 1) % bins)]! += counted / 4
  sums.changes += part
}

/** Far from the largest number that a count can hold. */
const maxUnit = 1e20

/** Lets time pass. Answers whether the counts themselves were changed for it. */
export function fade(
  { fadeMs, at, bins }: ProfileShape,
  sums: ProfileSums,
  counts: Float32Array,
  gapMs: number,
): boolean {
  const growth = 1 + gapMs / fadeMs
  sums.exposureMs = sums.exposureMs / growth + gapMs
  sums.changes /= growth
  sums.unit *= growth
  if (sums.unit < maxUnit) return false
  for (let bin = at; bin < at + bins; bin++) counts[bin] = counts[bin]! / sums.unit
  sums.unit = 1
  return true
}
