import { type Decided, evaluate, type Job, type Verdict } from '@kron/core'
import { instantText, type Plan } from '../domain/index.js'
import type { CompiledEndpoint } from './compiled-endpoint.js'

/** Something that is to run once: a period of the schedule, or an instant that was asked for. */
export interface Period {
  /** The planned time: with the endpoint it is the key of the run. */
  readonly at: number
  readonly periodId: string
  readonly decision: Decided
  /** Whether the schedule decided it. */
  readonly ofSchedule: boolean
  /** From when on a later period is the current one. */
  readonly supersededAt: number | null
}

/** A period of the schedule, as the core decided it; null when it can't be scheduled. */
export function scheduledPeriod(job: Job, nominal: number): Period | null {
  const decision = job.decide(nominal)
  const { chosenTime, periodId } = decision
  if (chosenTime === null) return null
  const supersededAt = job.supersededAt(nominal)
  return { at: chosenTime, periodId, decision, ofSchedule: true, supersededAt }
}

/**
 * The period that a plan of the schedule is for. A process of another version that works on the
 * same database may have planned it for another second: then its plan stands.
 */
export function plannedPeriod(job: Job, at: number, periodId: string | null): Period {
  const nominal = Date.parse(periodId ?? '')
  const period = Number.isNaN(nominal) ? null : scheduledPeriod(job, nominal)
  if (period?.at === at) return period
  const nominalTime = newestPeriod(job, at) ?? at
  const decision = { nominalTime, windowStart: at, chosenTime: at }
  const supersededAt = job.supersededAt(nominalTime)
  return { at, periodId: periodId ?? instantText(at), decision, ofSchedule: true, supersededAt }
}

/**
 * What no schedule decided: a hint, an interval, a limit or a person did, and its time is its only
 * period. Verdicts are made at the second, and so is it.
 */
export function occasion(at: number): Period {
  const second = Math.floor(at / 1000) * 1000
  const decision = { nominalTime: second, windowStart: second, chosenTime: second }
  return { at, periodId: instantText(at), decision, ofSchedule: false, supersededAt: null }
}

/** The newest period that had its time by `instant`, or null. */
export function newestPeriod(job: Job, instant: number): number | null {
  const current = job.currentPeriod(instant)
  // Without a window its time is its nominal time, which has come.
  if (current === null || job.spec.window.duration === 0) return current
  const { chosenTime, windowStart } = job.decide(current)
  if ((chosenTime ?? windowStart) <= instant) return current
  // Windows don't overlap: the one before has passed.
  return job.cron.previous(current - 1, job.zone)
}

/** What the core says to a period at `now`, or at its own time when that is still to come. */
export function verdictOn(
  { at, decision, ofSchedule, supersededAt }: Period,
  { policy, job, timing }: CompiledEndpoint,
  plan: Plan,
  now: number,
  active: boolean,
): Verdict {
  const { handledThrough: handled, responsibility } = plan
  // What is known of another timing says nothing about this one.
  const since = ofSchedule && responsibility?.timing === timing ? responsibility.since : null
  return evaluate({
    decision,
    policy,
    now: Math.max(now, at),
    handledThrough: ofSchedule && handled !== null ? newestPeriod(job!, handled) : null,
    active,
    supersededAt,
    responsibleSince: since,
  })
}
