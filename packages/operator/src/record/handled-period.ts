import { instantOf, type OwnedJob } from '../job/index.js'
import type { KronJobStatus, Outcome } from '../kronjob/index.js'
import { outcomes } from '../kronjob/index.js'

/** A period that has its outcome. */
export interface HandledPeriod {
  readonly nominalTime: number
  readonly chosenTime: number | null
  readonly outcome: Outcome
  readonly reason?: string | undefined
}

/**
 * The last period with an outcome, from three witnesses: the Jobs that exist, the status, and what
 * we remember. Each may be lost alone: Jobs are pruned or deleted, a status may be erased by hand or
 * not be written yet, and memory ends with the process.
 */
export function lastHandled(
  jobs: Iterable<OwnedJob>,
  status: KronJobStatus | undefined,
  remembered: HandledPeriod | null,
): HandledPeriod | null {
  let last = later(remembered, ofStatus(status))
  for (const { period } of jobs) {
    if (period === null) continue
    // Of one period the Job is right: it exists, whatever somebody thought.
    if (last === null || period.nominalTime >= last.nominalTime) {
      last = { ...period, outcome: 'executed' }
    }
  }
  return last
}

/**
 * Of one period the status is right, since its outcome stands there for good: another controller may
 * have come to another one. Unless there was a Job, which only we have seen.
 */
function later(
  remembered: HandledPeriod | null,
  written: HandledPeriod | null,
): HandledPeriod | null {
  if (remembered === null || written === null) return remembered ?? written
  if (remembered.nominalTime !== written.nominalTime) {
    return remembered.nominalTime > written.nominalTime ? remembered : written
  }
  return remembered.outcome === 'executed' ? remembered : written
}

function ofStatus(status: KronJobStatus | undefined): HandledPeriod | null {
  const nominalTime = instantOf(status?.lastPeriodID)
  if (nominalTime === null) return null
  const { lastChosenTime, lastOutcome, lastReason } = status ?? {}
  return {
    nominalTime,
    chosenTime: instantOf(lastChosenTime),
    outcome: outcomes.find((outcome) => outcome === lastOutcome) ?? 'executed',
    ...(typeof lastReason === 'string' && { reason: lastReason }),
  }
}
