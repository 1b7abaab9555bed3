import { type Decision, formatInstant, type KronError } from '@kron/core'
import type { EventReason, KronEvent } from '../event/index.js'
import type { HandledPeriod } from '../record/handled-period.js'
import { replacementWaiting, type Trouble } from '../record/trouble.js'

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
  const message = `Job ${job} of period ${subject} already exists, so the period is handled`
  return { reason: 'JobAlreadyExists', type: 'Normal', message, subject }
}

/** A new event after that time: by then most clusters have deleted the one before. */
const reportedAgainMs = 3_600_000

/** The message may contain a number that changes; so the reason says whether trouble is the same. */
export function troubleEvent(
  { reason, condition, message }: Trouble,
  { nominalTime }: Decision,
  generation: number,
  now: number,
): KronEvent {
  if (condition === 'InvalidSpec') return invalid(message, generation)
  const period = formatInstant(nominalTime)
  if (reason === 'NameTaken') {
    return { reason: 'JobAlreadyExists', type: 'Warning', message, subject: `taken ${period}` }
  }
  const hour = Math.floor(now / reportedAgainMs)
  if (reason === replacementWaiting) {
    // About the Job, whose name and time are in the message, however many periods it holds up.
    const text = `period ${period} waits: ${message}`
    return { reason, type: 'Warning', message: text, subject: `${message} ${hour}` }
  }
  return {
    reason: 'JobRefused',
    type: 'Warning',
    message: `period ${period} can't be started: ${message}`,
    subject: `${period} ${reason} ${hour}`,
  }
}

/** The engine could not answer, whatever the period: once for each message and hour. */
export function undecidedEvent({ message }: Trouble, now: number): KronEvent {
  const hour = Math.floor(now / reportedAgainMs)
  const text = `no Job is created: the time of the next period can't be decided: ${message}`
  return { reason: 'NoDecision', type: 'Warning', message: text, subject: `${message} ${hour}` }
}

/** Without a time: a successor that records it again records the same event. */
export function notResponsibleEvent({ nominalTime }: Decision): KronEvent {
  const subject = formatInstant(nominalTime)
  const message =
    `period ${subject} is not started: it was due before this KronJob had its current schedule, ` +
    'and policy.first is wait'
  return { reason: 'NotResponsible', type: 'Normal', message, subject }
}

export const invalidSpecEvent = (flaw: KronError, generation: number): KronEvent =>
  invalid(flaw.message, generation)

export const invalidTemplateEvent = ({ message }: Trouble, generation: number): KronEvent =>
  invalid(message, generation)

export const templateWarningEvent = (message: string, generation: number): KronEvent => ({
  reason: 'TemplateWarning',
  type: 'Warning',
  message,
  subject: `generation ${generation}: ${message}`,
})

const invalid = (message: string, generation: number): KronEvent => ({
  reason: 'InvalidSpec',
  type: 'Warning',
  message,
  subject: `generation ${generation}: ${message}`,
})
