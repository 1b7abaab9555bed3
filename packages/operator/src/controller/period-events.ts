import { type Decision, formatInstant, type KronError } from '@kron/core'
import type { EventReason, KronEvent } from '../event/index.js'
import type { HandledPeriod } from './handled-period.js'
import type { Trouble } from './kron-job-record.js'

/** Of a period that was not executed. */
export function settledEvent({ nominalTime, outcome, reason }: HandledPeriod): KronEvent {
  const subject = formatInstant(nominalTime)
  const message = `period ${subject} ${outcome}: ${reasonText(outcome, reason)}`
  const type = outcome === 'unschedulable' ? 'Warning' : 'Normal'
  return { reason: reasonOf(outcome, reason), type, message, subject }
}

function reasonOf(outcome: HandledPeriod['outcome'], reason: string | undefined): EventReason {
  if (outcome === 'missed') return 'MissedDeadline'
  if (outcome === 'unschedulable') return 'Unschedulable'
  return reason === 'superseded' ? 'SkippedSuperseded' : 'SkippedConcurrency'
}

function reasonText(outcome: HandledPeriod['outcome'], reason = 'unknown'): string {
  if (outcome !== 'skipped') return reason
  return reason === 'superseded'
    ? 'the window of the next period has opened'
    : 'a Job of this KronJob is still active, and policy.concurrency is forbid'
}

export function existedEvent({ nominalTime }: Decision, job: string): KronEvent {
  const subject = formatInstant(nominalTime)
  const message = `Job ${job} of period ${subject} exists already: the period is handled`
  return { reason: 'JobAlreadyExists', type: 'Normal', message, subject }
}

/** Null for trouble that only the condition tells of. */
export function troubleEvent(
  { reason, condition, message }: Trouble,
  { nominalTime }: Decision,
  generation: number,
): KronEvent | null {
  if (reason === 'NameTaken') {
    const subject = `taken ${formatInstant(nominalTime)}`
    return { reason: 'JobAlreadyExists', type: 'Warning', message, subject }
  }
  return condition === 'InvalidSpec' ? invalid(message, generation) : null
}

export const invalidSpecEvent = (flaw: KronError, generation: number): KronEvent =>
  invalid(flaw.message, generation)

const invalid = (message: string, generation: number): KronEvent => ({
  reason: 'InvalidSpec',
  type: 'Warning',
  message,
  subject: `generation ${generation}: ${message}`,
})
