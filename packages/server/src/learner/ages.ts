/**
 * How changes follow each other: more of them soon after a change (bursts), or none for some time
 * (something that is published once a period). Ages since the last change are in bins that double
 * from half a minute to a week; each has the changes that were seen at that age beside those that a
 * rate alone would have had come.
 */
export const ageBins = 16
const firstMs = 30_000
/** Changes that each bin is taken to have had, as expected, before. */
const prior = 2
/** What is kept of all counts at each change. */
const kept = 0.998

export const newAges = (): Float32Array => new Float32Array(ageBins)

/** 0 below half a minute, then one more for each doubling. */
export function ageBinOf(ageMs: number): number {
  if (ageMs < firstMs) return 0
  return Math.min(ageBins - 1, 32 - Math.clz32(ageMs / firstMs))
}

/** By how much a rate has to be multiplied at an age. */
export function ageFactor(seen: Float32Array, expected: Float32Array, bin: number): number {
  return (seen[bin]! + prior) / (expected[bin]! + prior)
}

export function fadeAges(counts: Float32Array): void {
  for (let bin = 0; bin < ageBins; bin++) counts[bin] = counts[bin]! * kept
}
