import type { Job } from '../decision/index.js'
import type { PlannedPeriod } from './planned-period.js'

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
