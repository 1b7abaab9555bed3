/**
 * A duration is a number of milliseconds with a resolution of one nanosecond: the double nearest
 * to a whole number of nanoseconds. Up to 2^32 ms (49 days) every nanosecond has its own double;
 * beyond that neighbours share one, and reading back what was written still gives the same double.
 */
const perMillisecond = 1_000_000

/** The longest duration of Go, 2^63 - 1 ns, about 292 years. */
export const longestNanoseconds = 2n ** 63n - 1n
export const longestMilliseconds = millisecondsOf(longestNanoseconds)

export function millisecondsOf(nanoseconds: bigint): number {
  const whole = nanoseconds / BigInt(perMillisecond)
  const rest = nanoseconds % BigInt(perMillisecond)
  return joined(Number(whole), Number(rest))
}

export interface SplitDuration {
  readonly milliseconds: number
  readonly nanoseconds: number
}

/**
 * Whole milliseconds and the nanoseconds beyond them, to the nearest nanosecond. Of a duration that
 * is rounded already the nanoseconds stay below a million.
 */
export function split(duration: number): SplitDuration {
  const milliseconds = Math.floor(duration)
  return { milliseconds, nanoseconds: Math.round((duration - milliseconds) * perMillisecond) }
}

export function roundedToNanosecond(duration: number): number {
  const { milliseconds, nanoseconds } = split(duration)
  return joined(milliseconds, nanoseconds)
}

/** Correctly rounded: a division where it is exact, a sum where an ulp is above a nanosecond. */
function joined(milliseconds: number, nanoseconds: number): number {
  const total = milliseconds * perMillisecond + nanoseconds
  if (total <= Number.MAX_SAFE_INTEGER) return total / perMillisecond
  return milliseconds + nanoseconds / perMillisecond
}
