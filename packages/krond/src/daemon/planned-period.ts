import type { Decision, Job } from '@kron/core'
import { supersededAt } from '@kron/preview'

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
  return supersededAt(job, nominalTime, chosenTime) ?? chosenTime ?? windowStart
}
