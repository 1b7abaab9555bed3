import { nextChosenPeriod } from '@kron/core'
import { instantText, type Plan } from '../domain/index.js'
import type { EndedRun } from '../store/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'

/** Periods that are written down one by one; of more than that the latest is jumped to. */
const mostRows = 100

export interface PassedPeriods {
  readonly ended: readonly EndedRun[]
  /** The latest period that has come, the first one included. */
  readonly latest: { readonly at: number; readonly periodId: string }
}

/**
 * The periods of the baseline after `first` that have come up to `now`. All but the latest get a
 * row with this reason, the first one included; what becomes of the latest is for the caller.
 */
export function passedPeriods(
  plan: Plan,
  { job }: CompiledEndpoint,
  first: { readonly at: number; readonly periodId: string },
  now: number,
  reason: string,
): PassedPeriods {
  const ended: EndedRun[] = []
  let latest = first
  while (job !== null) {
    const next = nextChosenPeriod(job, latest.at)
    if (next === null || next.chosenTime > now) break
    ended.push(skippedRun(plan, latest, reason))
    latest = { at: next.chosenTime, periodId: instantText(next.nominalTime) }
    if (ended.length === mostRows) {
      latest = latestPeriod(job, now) ?? latest
      break
    }
  }
  return { ended, latest }
}

export function skippedRun(
  plan: Plan,
  period: { readonly at: number; readonly periodId: string },
  reason: string,
): EndedRun {
  return {
    endpointId: plan.endpointId,
    scheduledFor: period.at,
    periodId: period.periodId,
    source: 'baseline-cron',
    status: 'skipped',
    reason,
    error: null,
    wasRunning: false,
  }
}

function latestPeriod(
  job: NonNullable<CompiledEndpoint['job']>,
  now: number,
): PassedPeriods['latest'] | null {
  let nominal = job.currentPeriod(now)
  for (let tried = 0; nominal !== null && tried < mostRows; tried++) {
    const { chosenTime } = job.decide(nominal)
    if (chosenTime !== null && chosenTime <= now) {
      return { at: chosenTime, periodId: instantText(nominal) }
    }
    nominal = job.cron.previous(nominal - 1, job.zone)
  }
  return null
}
