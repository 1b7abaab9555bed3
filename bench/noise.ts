import { median, quantile } from './statistics.ts'

const referenceSteps = 100_000
const referenceMs: number[] = []

/** The same integer work every time: what varies is the machine. */
export function recordReferenceLoop(): void {
  const start = performance.now()
  let state = 1
  for (let step = 0; step < referenceSteps; step++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
  }
  const elapsed = performance.now() - start
  if (state !== 0) referenceMs.push(elapsed)
}

export interface Noise {
  readonly samples: number
  readonly bestMs: number
  /** How much longer than the best the reference loop took, as a share: typically, and often. */
  readonly medianOverBest: number
  readonly ninetiethOverBest: number
}

export function noise(): Noise {
  // The first ones run before the loop is compiled.
  const samples = referenceMs.length > 100 ? referenceMs.slice(50) : referenceMs
  const best = Math.min(...samples)
  return {
    samples: samples.length,
    bestMs: best,
    medianOverBest: median(samples) / best - 1,
    ninetiethOverBest: quantile(samples, 0.9) / best - 1,
  }
}
