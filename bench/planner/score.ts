import { geometricMean } from '../statistics.ts'
import type { Tally } from './figures.ts'
import type { World } from './world.ts'

/** What a policy reached in a world with one budget, seed by seed. */
export interface Played {
  readonly budget: number
  readonly tallies: readonly Tally[]
}

/** A policy in a world beside the fixed schedule, at equal calls. */
export interface Compared {
  readonly policy: string
  readonly world: string
  readonly family: string
  /** Delay of the policy for one of the fixed schedule; null where nothing changes. */
  readonly delay: number | null
  /** Half of the interval in which 95 % of such ratios lie, as a share of the ratio. */
  readonly uncertainty: number
  /** Calls for one of the fixed schedule: 1 if the delay was interpolated. */
  readonly calls: number
}

/** Calls that differ by less are equal. */
export const equalCalls = 0.02
const certain = 1.96

export const callsOf = (tallies: readonly Tally[]): number =>
  tallies.reduce((sum, { calls }) => sum + calls, 0)

const meanDelay = (tallies: readonly Tally[]): number => {
  let sum = 0
  let count = 0
  for (const { delays } of tallies) {
    for (const delay of delays) sum += delay
    count += delays.length
  }
  return sum / count
}

/** `played` has the policy with its own budget first, and with others where calls differ. */
export function compare(
  policy: string,
  world: World,
  fixed: readonly Tally[],
  played: readonly Played[],
): Compared {
  const points = played.map(({ tallies }) => pointOf(fixed, tallies))
  const { delay, calls } = atEqualCalls(points)
  return {
    policy,
    world: world.name,
    family: world.family ?? world.name,
    delay: Number.isFinite(delay) ? delay : null,
    uncertainty: uncertaintyOf(fixed, played[0]!.tallies),
    calls,
  }
}

/** Both beside the fixed schedule. */
interface Point {
  readonly calls: number
  readonly delay: number
}

const pointOf = (fixed: readonly Tally[], tallies: readonly Tally[]): Point => ({
  calls: callsOf(tallies) / callsOf(fixed),
  delay: meanDelay(tallies) / meanDelay(fixed),
})

/** Between the nearest points on both sides, along a line in logarithms; else the nearest point. */
function atEqualCalls(points: readonly Point[]): Point {
  const nearest = points.toSorted((a, b) => distance(a) - distance(b))
  const [first] = nearest as [Point, ...Point[]]
  if (distance(first) <= equalCalls) return first
  const other = nearest.find(({ calls }) => calls > 1 !== first.calls > 1)
  if (other === undefined) return first
  const part = Math.log(first.calls) / Math.log(first.calls / other.calls)
  return { calls: 1, delay: first.delay * (other.delay / first.delay) ** part }
}

const distance = ({ calls }: Point): number => Math.abs(Math.log(calls))

/** By leaving out one seed after the other. */
function uncertaintyOf(fixed: readonly Tally[], tallies: readonly Tally[]): number {
  const count = fixed.length
  if (count < 2) return Number.NaN
  const logs = fixed.map((_, left) => {
    const others = <T>(all: readonly T[]): T[] => all.filter((_each, index) => index !== left)
    return Math.log(meanDelay(others(tallies)) / meanDelay(others(fixed)))
  })
  const mean = logs.reduce((sum, log) => sum + log, 0) / count
  const spread = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0)
  return certain * Math.sqrt((spread * (count - 1)) / count)
}

/** The ratio of a family: the geometric mean over its worlds in which something changes. */
export function familyScore(compared: readonly Compared[], policy: string, family: string): number {
  return geometricMean(
    compared.flatMap((one) =>
      one.policy === policy && one.family === family && one.delay !== null && one.delay > 0
        ? [one.delay]
        : [],
    ),
  )
}

export const familiesOf = (compared: readonly Compared[]): string[] => [
  ...new Set(compared.map(({ family }) => family)),
]

/** The geometric mean over the families. */
export function score(compared: readonly Compared[], policy: string): number {
  const families = familiesOf(compared).map((family) => familyScore(compared, policy, family))
  return geometricMean(families.filter(Number.isFinite))
}
