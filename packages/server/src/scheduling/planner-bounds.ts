import { type Job, nextChosenPeriod } from '@kron/core'
import type { EndpointDefinition } from '../domain/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'

/**
 * The calendar of a cron baseline is law: a planner may leave its times out or choose among them,
 * and never has the endpoint run at another one. Windows and constraints are part of it.
 */
export class Calendar {
  readonly #job: Job

  constructor(job: Job) {
    this.#job = job
  }

  /** The first time at or after `instant`, or null. */
  from(instant: number): number | null {
    return nextChosenPeriod(this.#job, instant - 1)?.chosenTime ?? null
  }

  has(instant: number): boolean {
    return this.from(instant) === instant
  }
}

/** null for intervals, and where the endpoint lets planners leave its cron. */
export function calendarOf({ job, endpoint }: CompiledEndpoint): Calendar | null {
  return job === null || endpoint.definition.adaptive.outsideCron ? null : new Calendar(job)
}

/** Without limits of its own an interval is moved within these parts of the baseline. */
const minPart = 1 / 4
const maxPart = 12

interface IntervalBand {
  readonly minMs: number
  readonly maxMs: number
}

/** How far a planner may move an endpoint: between its own limits, or in a band of its baseline. */
export function intervalBand({
  baseline,
  minIntervalMs,
  maxIntervalMs,
}: Pick<EndpointDefinition, 'baseline' | 'minIntervalMs' | 'maxIntervalMs'>): IntervalBand {
  const { intervalMs } = baseline
  const least = intervalMs === null ? 0 : Math.ceil(intervalMs * minPart)
  const most = intervalMs === null ? Number.POSITIVE_INFINITY : intervalMs * maxPart
  // One limit of the owner may lie beyond the other end of the band.
  const minMs = minIntervalMs ?? Math.min(least, maxIntervalMs ?? least)
  return { minMs, maxMs: maxIntervalMs ?? Math.max(most, minMs) }
}
