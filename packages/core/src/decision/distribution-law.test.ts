import { describe, expect, it } from 'vitest'
import type { DistributionInput, WindowMode } from '../definition/index.js'
import { compileJob } from './job.js'

const periods = 100_000
const day = 86_400_000
const windowSeconds = 3600
const bins = 60

type Density = (x: number) => number

const standard = (x: number, centre: number, sigma: number) =>
  Math.exp(-((x - centre) ** 2) / (2 * sigma ** 2))

interface Law {
  readonly name: string
  readonly distribution: DistributionInput
  readonly mode?: WindowMode
  /** Not normalised; written down here a second time, from the definition. */
  readonly density: Density
}

const laws: readonly Law[] = [
  { name: 'uniform', distribution: 'uniform', density: () => 1 },
  { name: 'skewEarly', distribution: 'skewEarly', density: (x) => x ** (1 / 2 - 1) },
  {
    name: 'skewEarly with shape 1.5',
    distribution: { name: 'skewEarly', params: { shape: 1.5 } },
    density: (x) => x ** (1 / 1.5 - 1),
  },
  { name: 'skewLate', distribution: 'skewLate', density: (x) => (1 - x) ** (1 / 2 - 1) },
  {
    name: 'skewLate with shape 3',
    distribution: { name: 'skewLate', params: { shape: 3 } },
    density: (x) => (1 - x) ** (1 / 3 - 1),
  },
  { name: 'normal', distribution: 'normal', density: (x) => standard(x, 0.5, 1 / 6) },
  {
    name: 'normal around',
    distribution: 'normal',
    mode: 'around',
    density: (x) => standard(x, 0.5, 1 / 6),
  },
  {
    name: 'normal from the start with sigma 20m',
    distribution: { name: 'normal', params: { mu: 'start', sigma: '20m' } },
    density: (x) => standard(x, 0, 1 / 3),
  },
  {
    name: 'normal to the end with sigma 10m',
    distribution: { name: 'normal', params: { mu: 'end', sigma: '10m' } },
    density: (x) => standard(x, 1, 1 / 6),
  },
  {
    name: 'normal at the nominal time of a window before',
    distribution: { name: 'normal', params: { mu: 'nominal' } },
    mode: 'before',
    density: (x) => standard(x, 1, 1 / 6),
  },
  {
    name: 'normal at the nominal time of a window after',
    distribution: { name: 'normal', params: { mu: 'nominal' } },
    density: (x) => standard(x, 0, 1 / 6),
  },
  { name: 'exponential', distribution: 'exponential', density: (x) => Math.exp(-x) },
  {
    name: 'exponential late with lambda 4',
    distribution: { name: 'exponential', params: { lambda: 4, dir: 'late' } },
    density: (x) => Math.exp(4 * x),
  },
]

describe('over 100,000 periods', () => {
  it.each(laws)('$name fits its law', ({ distribution, mode = 'after', density }) => {
    const counts = histogram(offsets({ distribution, mode }), bins)
    const expected = binned(density, bins, () => true)
    expect(chiSquared(counts, expected)).toBeLessThan(critical(bins - 1))
  })

  it.each(laws)('$name with sample=exact fits its law on the allowed seconds', (law) => {
    const spec =
      typeof law.distribution === 'string' ? { name: law.distribution } : law.distribution
    const distribution = { ...spec, params: { ...spec.params, sample: 'exact' } }
    const mode = law.mode ?? 'after'
    const only = ['between=00:10-00:19', 'between=23:40-23:44', 'between=00:50-00:54']
    const drawn = offsets({ distribution, mode, constraints: { only } })
    const opens = { after: 0, around: -30, before: -60 }[mode]
    const allowedMinute = (bin: number) => {
      const minute = (opens + bin + 1440) % 1440
      return (
        (minute >= 10 && minute < 20) ||
        (minute >= 50 && minute < 55) ||
        (minute >= 1420 && minute < 1425)
      )
    }
    const counts = histogram(drawn, bins)
    const allowed = counts.filter((_, bin) => allowedMinute(bin))
    const expected = binned(law.density, bins, allowedMinute)
    expect(counts.reduce((sum, count) => sum + count)).toBe(periods)
    expect(allowed.reduce((sum, count) => sum + count)).toBe(periods)
    expect(chiSquared(allowed, expected)).toBeLessThan(critical(allowed.length - 1))
  })
})

/** Chosen seconds after the start of the window, over consecutive days. */
function offsets(definition: object): number[] {
  const { mode } = definition as { mode: WindowMode }
  const { mode: _, ...rest } = definition as { mode: WindowMode }
  const job = compileJob({
    identity: 'law',
    schedule: '0 0 * * *',
    window: { mode, duration: '1h' },
    ...rest,
  })
  return Array.from({ length: periods }, (_, index) => {
    const decision = job.decide(index * day)
    return (decision.chosenTime! - decision.windowStart) / 1000
  })
}

/** A minute a bin; the one second past the hour is part of the last. */
function histogram(values: readonly number[], size: number): number[] {
  const counts = new Array<number>(size).fill(0)
  for (const value of values) {
    const bin = Math.min(Math.floor((value * size) / windowSeconds), size - 1)
    counts[bin] = counts[bin]! + 1
  }
  return counts
}

/** Probabilities of the bins: the density summed up finely between the ends of each second. */
function binned(density: Density, size: number, kept: (bin: number) => boolean): number[] {
  const seconds = windowSeconds + 1
  const steps = 40
  const masses = new Array<number>(size).fill(0)
  for (let second = 0; second < seconds; second++) {
    const bin = Math.min(Math.floor((second * size) / windowSeconds), size - 1)
    for (let step = 0; step < steps; step++) {
      masses[bin] = masses[bin]! + density((second + (step + 0.5) / steps) / seconds)
    }
  }
  const chosen = masses.filter((_, bin) => kept(bin))
  const total = chosen.reduce((sum, mass) => sum + mass)
  return chosen.map((mass) => (mass / total) * periods)
}

/** Pearson's statistic; bins that expect less than five are put together with their neighbour. */
function chiSquared(counts: readonly number[], expected: readonly number[]): number {
  let statistic = 0
  let count = 0
  let mass = 0
  for (let bin = 0; bin < counts.length; bin++) {
    count += counts[bin]!
    mass += expected[bin]!
    if (mass < 5 && bin < counts.length - 1) continue
    statistic += mass === 0 ? count : (count - mass) ** 2 / mass
    count = 0
    mass = 0
  }
  return statistic
}

/** Upper 0.01 % point of chi-squared, by Wilson and Hilferty. */
function critical(freedom: number): number {
  const z = 3.719
  return freedom * (1 - 2 / (9 * freedom) + z * Math.sqrt(2 / (9 * freedom))) ** 3
}
