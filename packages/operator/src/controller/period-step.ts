import {
  type Decision,
  evaluate,
  executableUntil,
  type Job,
  nextToHandle,
  plannedPeriod,
  type Verdict,
} from '@kron/core'
import type { Attempt } from '../record/attempt.js'
import type { HandledPeriod } from '../record/handled-period.js'
import type { KronJobRecord } from '../record/kron-job-record.js'

export interface StepInput {
  readonly job: Job
  readonly now: number
  readonly responsibleSince: number
  readonly lastHandled: HandledPeriod | null
  readonly isActive: boolean
  /** What was decided before, of a period that may have been overtaken. */
  readonly planned: Decision | null
  readonly attempt: Attempt | null
}

/** What is known of a KronJob at an instant, as far as its periods go. */
export function stepInput(record: KronJobRecord, job: Job, now: number): StepInput {
  const { responsibility, lastHandled, planned, attempt } = record
  const isActive = record.activeJobs.length > 0
  const responsibleSince = responsibility.since
  return { job, now, responsibleSince, lastHandled, isActive, planned, attempt }
}

type Final = Extract<Verdict, { kind: 'skipped' | 'missed' | 'unschedulable' }>

/** What is to be done about the one period that is to be handled next. */
export type Step = (
  | { readonly kind: 'idle' }
  | { readonly kind: 'wait'; readonly decision: Decision; readonly until: number }
  | { readonly kind: 'execute'; readonly decision: Decision; readonly replace: boolean }
  | { readonly kind: 'settle'; readonly decision: Decision; readonly verdict: Final }
) & {
  /** The current period, if it was due before we answered for the KronJob. */
  readonly passedOver: Decision | null
}

/** A period that is to be executed, with or without replacing what runs. */
export type Start = Pick<Extract<Step, { kind: 'execute' }>, 'decision' | 'replace'>

/** How long a replacement that began in time may take where the deadline says nothing. */
const replacementMs = 60_000

/** Asks the core; holds no policy of its own but when a replacement that has begun is too late. */
export function periodStep(input: StepInput): Step {
  let passedOver: Decision | null = null
  if (input.job.policy.suspend) return { kind: 'idle', passedOver }
  for (let decision = firstDecision(input); ; decision = decisionAfter(input, decision)) {
    if (decision === null) return { kind: 'idle', passedOver }
    const verdict = verdictOf(input, decision, input.responsibleSince)
    switch (verdict.kind) {
      case 'notResponsible':
        passedOver ??= decision
        continue
      case 'suspended':
      case 'handled':
        return { kind: 'idle', passedOver }
      case 'wait':
        return { kind: 'wait', decision, until: verdict.until, passedOver }
      case 'execute':
        return { kind: 'execute', decision, replace: verdict.replace, passedOver }
      case 'missed':
        if (isBeingReplaced(input, decision)) {
          return { kind: 'execute', decision, replace: input.isActive, passedOver }
        }
    }
    return { kind: 'settle', decision, verdict, passedOver }
  }
}

/** Whether it is still to be executed, and with the same decision, as things are now. */
export function isStillToStart(
  record: KronJobRecord,
  input: StepInput,
  { decision, replace }: Start,
): boolean {
  if (record.compiled !== input.job || record.isDeleting) return false
  const step = periodStep(input)
  if (step.kind !== 'execute' || (step.replace && !replace)) return false
  return step.decision.nominalTime === decision.nominalTime
}

/** Whether a period that was passed over would have been started. */
export const wouldHaveRun = (input: StepInput, decision: Decision): boolean =>
  verdictOf(input, decision, null).kind === 'execute'

function verdictOf(input: StepInput, decision: Decision, responsibleSince: number | null): Verdict {
  const { job, now, lastHandled, isActive } = input
  return evaluate({
    decision: plannedPeriod(decision),
    policy: job.policy,
    now,
    handledThrough: lastHandled?.nominalTime ?? null,
    active: isActive,
    supersededAt: job.supersededAt(decision.nominalTime),
    responsibleSince,
  })
}

/** When a period that can't be started now is lost: at its deadline, or to the period after it. */
export function lostAt(input: StepInput, decision: Decision): number {
  const { job } = input
  const { nominalTime, chosenTime } = decision
  if (chosenTime === null) return Number.POSITIVE_INFINITY
  if (!hasExtension(input, decision)) return executableUntil(job, decision)
  const supersededAt = job.supersededAt(nominalTime) ?? Number.POSITIVE_INFINITY
  return Math.min(chosenTime + replacementMs + 1, supersededAt)
}

const isBeingReplaced = (input: StepInput, decision: Decision): boolean =>
  hasExtension(input, decision) && input.now < lostAt(input, decision)

/** Foreground deletion takes its time; without a deadline that must not make every one too late. */
function hasExtension({ job, attempt }: StepInput, { nominalTime }: Decision): boolean {
  if (attempt?.nominalTime !== nominalTime || attempt.replacingSince === null) return false
  return job.policy.deadline === 0
}

function firstDecision({ job, now, lastHandled, planned }: StepInput): Decision | null {
  const handledThrough = lastHandled?.nominalTime ?? null
  if (planned !== null && planned.nominalTime > (handledThrough ?? Number.NEGATIVE_INFINITY)) {
    return planned
  }
  return decisionOf(job, nextToHandle(job, now, handledThrough))
}

/** A window reaches no further than its length: all periods up to there are not ours either. */
function decisionAfter({ job, responsibleSince }: StepInput, { nominalTime }: Decision) {
  const before = responsibleSince - Math.ceil(job.spec.window.duration) - 1000
  return decisionOf(job, job.nextPeriod(Math.max(nominalTime, before)))
}

const decisionOf = (job: Job, nominal: number | null): Decision | null =>
  nominal === null ? null : job.decide(nominal)
