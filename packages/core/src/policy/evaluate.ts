import { checkInstant } from '../calendar/instant.js'
import type { Decision } from '../decision/index.js'
import { invalid } from '../definition/flaw.js'
import {
  type Concurrency,
  type PolicyInput,
  type PolicySpec,
  resolvePolicy,
} from '../definition/index.js'
import { formatDuration } from '../duration/index.js'
import { SchedulingError } from '../errors/index.js'

/**
 * What a host has to do about one period now. `wait` and `suspended` are asked again later;
 * `notResponsible` is final too, but no outcome: nothing is recorded, and the next period is next.
 */
export type Verdict =
  | { readonly kind: 'suspended' }
  | { readonly kind: 'handled' }
  | { readonly kind: 'notResponsible' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'execute'; readonly replace: boolean }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'missed'; readonly reason: string }
  | { readonly kind: 'unschedulable'; readonly reason: string }

/** `concurrency`: forbidden while active. `superseded`: a later period's window has opened. */
export type SkipReason = 'concurrency' | 'superseded'

/** The part of a decision that a verdict looks at. */
export type Decided = Pick<Decision, 'nominalTime' | 'windowStart' | 'chosenTime' | 'reason'>

export interface Evaluation {
  readonly decision: Decided
  readonly policy: PolicyInput
  readonly now: number
  /** The nominal time up to which every period has its outcome, or null at the very start. */
  readonly handledThrough: number | null
  /** Whether an execution of this job is running. */
  readonly active: boolean
  /** From when on a later period is the current one; see `Job.supersededAt`. */
  readonly supersededAt?: number | null
  /** Since when the host answers for the job with this timing; null or absent: always. */
  readonly responsibleSince?: number | null
}

const suspended: Verdict = { kind: 'suspended' }
const handled: Verdict = { kind: 'handled' }
const notResponsible: Verdict = { kind: 'notResponsible' }
const start: Verdict = { kind: 'execute', replace: false }
const startInstead: Verdict = { kind: 'execute', replace: true }
const forbidden: Verdict = { kind: 'skipped', reason: 'concurrency' }
const superseded: Verdict = { kind: 'skipped', reason: 'superseded' }

/**
 * The one place where policy lives. The order of the questions is the contract: suspension comes
 * before everything, since it must leave no trace; what was handled stays handled whatever the
 * clock says; a period that is past its deadline is missed, also when a later one has taken over.
 */
export function evaluate(input: Evaluation): Verdict {
  const { decision, handledThrough, active } = checked(input)
  const policy = resolvePolicy(input.policy)
  const now = Math.floor(input.now / 1000) * 1000

  if (policy.suspend) return suspended
  if (handledThrough !== null && decision.nominalTime <= handledThrough) return handled
  if (isBeforeOurTime(decision, policy, input.responsibleSince ?? null)) return notResponsible
  if (decision.chosenTime === null) {
    if (now < decision.windowStart) return { kind: 'wait', until: decision.windowStart }
    return { kind: 'unschedulable', reason: decision.reason ?? 'unknown' }
  }
  const lateness = now - decision.chosenTime
  if (lateness > policy.deadline) return { kind: 'missed', reason: missedBy(lateness, policy) }
  // Not only once the chosen time has come: the later period may be due before that.
  if (isSuperseded(decision.chosenTime, input.supersededAt ?? null, now)) return superseded
  if (lateness < 0) return { kind: 'wait', until: decision.chosenTime }
  return active ? besideAnother(policy.concurrency) : start
}

function besideAnother(concurrency: Concurrency): Verdict {
  switch (concurrency) {
    case 'allow':
      return start
    case 'forbid':
      return forbidden
    case 'replace':
      return startInstead
    default:
      throw new SchedulingError(
        'KRON_INVARIANT',
        `no verdict for concurrency ${concurrency satisfies never}`,
        { field: 'policy.concurrency', value: concurrency },
      )
  }
}

/** What had to start before a host answered for the job is nobody's failure and nobody's work. */
function isBeforeOurTime(
  { chosenTime, windowStart }: Decided,
  { first }: PolicySpec,
  responsibleSince: number | null,
): boolean {
  if (responsibleSince === null || first === 'run') return false
  return (chosenTime ?? windowStart) < responsibleSince
}

/**
 * A period gives way when the later window opens. Only where windows touch, so that its chosen
 * second is the first second of the later one, is that second still its own.
 */
function isSuperseded(chosenTime: number, supersededAt: number | null, now: number): boolean {
  if (supersededAt === null) return false
  return chosenTime === supersededAt ? now > supersededAt : now >= supersededAt
}

function missedBy(lateness: number, policy: PolicySpec): string {
  return `${formatDuration(lateness)} late, deadline ${formatDuration(policy.deadline)}`
}

const wrong = (field: string, value: unknown, allowed: string) =>
  invalid('KRON_FIELD_INVALID', field, value, allowed)

function checked(input: Evaluation): Evaluation {
  if (input === null || typeof input !== 'object') throw wrong('evaluation', input, 'an object')
  const { decision, now, handledThrough, active, supersededAt, responsibleSince } = input
  if (decision === null || typeof decision !== 'object') {
    throw wrong('decision', decision, 'a decision')
  }
  checkInstant(decision.nominalTime, 'decision.nominalTime')
  checkInstant(decision.windowStart, 'decision.windowStart')
  if (decision.chosenTime !== null) checkInstant(decision.chosenTime, 'decision.chosenTime')
  checkInstant(now, 'now')
  if (handledThrough !== null) checkInstant(handledThrough, 'handledThrough')
  checkInstant(supersededAt ?? 0, 'supersededAt')
  checkInstant(responsibleSince ?? 0, 'responsibleSince')
  if (typeof active !== 'boolean') throw wrong('active', active, 'true or false')
  return input
}
