import {
  type Decision,
  evaluate,
  type Job,
  nextToHandle,
  plannedPeriod,
  type Verdict,
} from '@kron/core'
import type { HandledPeriod } from './handled-period.js'
import type { Attempt } from './kron-job-record.js'

export interface StepInput {
  readonly job: Job
  readonly now: number
  readonly createdAt: number
  readonly lastHandled: HandledPeriod | null
  readonly isActive: boolean
  /** What was decided before, of a period that may have been overtaken. */
  readonly planned: Decision | null
  readonly attempt: Attempt | null
}

type Final = Extract<Verdict, { kind: 'skipped' | 'missed' | 'unschedulable' }>

/** What is to be done about the one period that is to be handled next. */
export type Step =
  | { readonly kind: 'idle' }
  | { readonly kind: 'wait'; readonly decision: Decision; readonly until: number }
  | { readonly kind: 'execute'; readonly decision: Decision; readonly replace: boolean }
  | { readonly kind: 'settle'; readonly decision: Decision; readonly verdict: Final }

/** How long a replacement that began in time may take where the deadline says nothing. */
const replacementMs = 60_000

/** Asks the core; holds no policy of its own but when a replacement that has begun is too late. */
export function periodStep(input: StepInput): Step {
  const { job, now, lastHandled, isActive } = input
  if (job.policy.suspend) return { kind: 'idle' }
  const decision = decisionToHandle(input)
  if (decision === null) return { kind: 'idle' }
  const verdict = evaluate({
    decision: plannedPeriod(decision),
    policy: job.policy,
    now,
    handledThrough: lastHandled?.nominalTime ?? null,
    active: isActive,
    supersededAt: job.supersededAt(decision.nominalTime),
  })
  switch (verdict.kind) {
    case 'suspended':
    case 'handled':
    case 'notResponsible':
      return { kind: 'idle' }
    case 'wait':
      return { kind: 'wait', decision, until: verdict.until }
    case 'execute':
      return { kind: 'execute', decision, replace: verdict.replace }
    case 'missed':
      if (isBeingReplaced(input, decision)) return { kind: 'execute', decision, replace: isActive }
  }
  return { kind: 'settle', decision, verdict }
}

/** Foreground deletion takes its time; without a deadline that must not make every one too late. */
function isBeingReplaced({ job, now, attempt }: StepInput, decision: Decision): boolean {
  if (attempt?.nominalTime !== decision.nominalTime || attempt.replacingSince === null) return false
  return job.policy.deadline === 0 && now <= (decision.chosenTime ?? 0) + replacementMs
}

function decisionToHandle(input: StepInput): Decision | null {
  const { job, now, lastHandled, planned } = input
  const handledThrough = lastHandled?.nominalTime ?? null
  if (planned !== null && planned.nominalTime > (handledThrough ?? Number.NEGATIVE_INFINITY)) {
    return planned
  }
  let nominal = nextToHandle(job, now, handledThrough)
  while (nominal !== null) {
    const decision = job.decide(nominal)
    if (!wasBefore(input.createdAt, decision)) return decision
    // A window reaches no further than its length, so all up to there were before as well.
    const before = input.createdAt - job.spec.window.duration - 1
    nominal = job.nextPeriod(Math.max(nominal, before))
  }
  return null
}

/**
 * A KronJob has no part in periods that were due before it was created. So one that is deleted and
 * applied again runs none twice: either the old one ran it, or it was not due yet.
 */
function wasBefore(createdAt: number, { chosenTime, windowStart }: Decision): boolean {
  return (chosenTime ?? windowStart) <= createdAt
}
