import { quantile } from '../statistics.ts'

/** What one policy did in one world of one seed. Times in milliseconds. */
export interface Tally {
  calls: number
  /** Successful looks that found nothing, by what really changed. */
  wasted: number
  callsWhileDown: number
  tooMany: number
  violations: number
  /** Of each change that came while the target was up, until a look saw it. */
  readonly delays: number[]
  staleMs: number
  countedMs: number
  /** Of each outage that was noticed: until the first failure, and from its end to a success. */
  readonly detections: number[]
  readonly recoveries: number[]
}

export const newTally = (): Tally => ({
  calls: 0,
  wasted: 0,
  callsWhileDown: 0,
  tooMany: 0,
  violations: 0,
  delays: [],
  staleMs: 0,
  countedMs: 0,
  detections: [],
  recoveries: [],
})

/** What is shown of a policy: calls and the like by seed, times over all changes and outages. */
export interface Figures {
  readonly calls: number
  readonly delayMs: number
  readonly delayP95Ms: number
  readonly staleShare: number
  readonly wasted: number
  readonly detectionMs: number
  readonly detectionP95Ms: number
  readonly recoveryP50Ms: number
  readonly recoveryP95Ms: number
  readonly callsWhileDown: number
  readonly tooMany: number
  readonly violations: number
}

/** Of tallies that belong together: the seeds of a world, or of all worlds. */
export function figuresOf(tallies: readonly Tally[], seeds: number): Figures {
  const sum = (of: (tally: Tally) => number): number =>
    tallies.reduce((total, tally) => total + of(tally), 0)
  const all = (of: (tally: Tally) => readonly number[]): number[] => tallies.flatMap(of)
  const delays = all(({ delays: each }) => each)
  const detections = all(({ detections: each }) => each)
  const recoveries = all(({ recoveries: each }) => each)
  return {
    calls: sum(({ calls }) => calls) / seeds,
    delayMs: mean(delays),
    delayP95Ms: shown(quantile(delays, 0.95)),
    staleShare: sum(({ staleMs }) => staleMs) / sum(({ countedMs }) => countedMs),
    wasted: sum(({ wasted }) => wasted) / seeds,
    detectionMs: mean(detections),
    detectionP95Ms: shown(quantile(detections, 0.95)),
    recoveryP50Ms: shown(quantile(recoveries, 0.5)),
    recoveryP95Ms: shown(quantile(recoveries, 0.95)),
    callsWhileDown: sum(({ callsWhileDown }) => callsWhileDown) / seeds,
    tooMany: sum(({ tooMany }) => tooMany) / seeds,
    violations: sum(({ violations }) => violations),
  }
}

/** Nothing to measure is 0, which JSON knows. */
const shown = (value: number): number => (Number.isNaN(value) ? 0 : value)

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
