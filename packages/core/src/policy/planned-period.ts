import type { Decision, Job } from '../decision/index.js'

/** The part of a decision that is kept until the period is due; the rest can be computed again. */
export interface PlannedPeriod {
  readonly nominalTime: number
  readonly windowStart: number
  readonly chosenTime: number | null
  readonly reason?: string
}

export function plannedPeriod(decision: Decision): PlannedPeriod {
  const { nominalTime, windowStart, chosenTime, reason } = decision
  const planned = { nominalTime, windowStart, chosenTime }
  return reason === undefined ? planned : { ...planned, reason }
}

/**
 * The one period that is to be handled next: the current one unless it was handled, and never one
 * before it, so that no downtime is replayed.
 */
export function nextToHandle(job: Job, now: number, handledThrough: number | null): number | null {
  const current = job.currentPeriod(now)
  if (current === null) return job.nextPeriod(Math.max(now, handledThrough ?? now))
  if (handledThrough === null || current > handledThrough) return current
  return job.nextPeriod(handledThrough)
}

/** When a verdict about the period can be had. */
export function dueTime(job: Job, { nominalTime, windowStart, chosenTime }: PlannedPeriod): number {
  return takenOverAt(job, nominalTime, chosenTime) ?? chosenTime ?? windowStart
}

/**
 * When the next period takes over, if that is before the chosen time; null otherwise. Windows
 * never overlap on the wall clock, so only a change of the clock brings two of them together.
 */
export function takenOverAt(job: Job, nominal: number, chosen: number | null): number | null {
  if (chosen === null) return null
  const at = job.supersededAt(nominal)
  return at !== null && at < chosen ? at : null
}

/** A period of a schedule, and when in it the run is. */
export interface ChosenPeriod {
  readonly nominalTime: number
  readonly chosenTime: number
}

/** The first period whose chosen time is after `now`, or null when none is left. */
export function nextChosenPeriod(job: Job, now: number): ChosenPeriod | null {
  let nominalTime = job.currentPeriod(now) ?? job.nextSchedulable(now)
  while (nominalTime !== null) {
    const { chosenTime } = job.decide(nominalTime)
    if (chosenTime !== null && chosenTime > now) return { nominalTime, chosenTime }
    nominalTime = job.nextSchedulable(nominalTime)
  }
  return null
}

const second = 1000

/**
 * From when on a period that may be executed may not be any more: its deadline has passed, or the
 * next one takes over. It is the first instant at which `evaluate` says so, to which everything that
 * is put off must come back, so that no period is left without its outcome.
 */
export function executableUntil(job: Job, { nominalTime, chosenTime }: PlannedPeriod): number {
  if (chosenTime === null) return Number.POSITIVE_INFINITY
  // Verdicts look at whole seconds: the second of the deadline itself is in time.
  const missedFrom = chosenTime + (Math.floor(job.policy.deadline / second) + 1) * second
  const opensNext = job.supersededAt(nominalTime)
  if (opensNext === null) return missedFrom
  // Where windows touch, their common second belongs to the earlier period.
  const supersededFrom = opensNext === chosenTime ? opensNext + second : opensNext
  return Math.min(missedFrom, supersededFrom)
}
