import { formatInstant, type Zone } from '@kron/core'
import type { StartCounts } from './count-starts.js'
import { busiest, type Series, seriesOf } from './series.js'

/** Two pictures of the same jobs: as they are, and as they would be without windows. */
export interface Simulation {
  readonly from: number
  readonly until: number
  readonly bucketMs: number
  readonly buckets: number
  readonly before: Series
  readonly after: Series
  readonly unschedulable: number
  readonly jobs: number
  readonly withWindow: number
  readonly suspended: number
  /** In which times are shown. */
  readonly zone: Zone
}

export interface JobTally {
  readonly jobs: number
  readonly withWindow: number
  readonly suspended: number
}

export function simulationOf(counts: StartCounts, tally: JobTally, zone: Zone): Simulation {
  const { from, bucketMs, withoutWindows, withWindows, unschedulable } = counts
  const buckets = withoutWindows.length
  return {
    from,
    until: from + buckets * bucketMs,
    bucketMs,
    buckets,
    before: seriesOf(withoutWindows),
    after: seriesOf(withWindows),
    unschedulable,
    ...tally,
    zone,
  }
}

export const bucketStart = ({ from, bucketMs }: Simulation, index: number): number =>
  from + index * bucketMs

const busiestListed = 10

export function simulationJson(simulation: Simulation): object {
  const { before, after, zone, from, until, bucketMs, buckets } = simulation
  const { jobs, withWindow, suspended, unschedulable } = simulation
  const series = (of: Series): object => ({
    total: of.total,
    mean: of.mean,
    peak: of.peak,
    peakAt: of.peak === 0 ? null : formatInstant(bucketStart(simulation, of.peakAt)),
    busiest: busiest(of, busiestListed).map(({ index, count }) => ({
      at: formatInstant(bucketStart(simulation, index)),
      count,
    })),
    counts: [...of.counts],
  })
  return {
    from: formatInstant(from),
    until: formatInstant(until),
    bucketSeconds: bucketMs / 1000,
    buckets,
    timezone: zone.name,
    jobs,
    jobsWithWindow: withWindow,
    jobsSuspended: suspended,
    unschedulable,
    withoutWindows: series(before),
    withWindows: series(after),
  }
}
