import { type EndpointPlan, formatDuration, planNextRun } from '@kron/core'
import { giverOf, instantText, type Plan } from '../domain/index.js'

/** What the Governor looks at, in its order. */
const candidateKinds = [
  'paused',
  'ai-oneshot',
  'ai-interval',
  'baseline-cron',
  'baseline-interval',
] as const
export type CandidateKind = (typeof candidateKinds)[number]

export interface Candidate {
  readonly kind: CandidateKind
  /** When the endpoint would run if this one decided, before minimum and maximum. */
  readonly nextRunAt: string | null
  readonly valid: boolean
  readonly chosen: boolean
  /** What it is, or why it does not count. */
  readonly why: string
}

/**
 * All candidates with their values. Each is found by asking the Governor about an endpoint that
 * has this candidate and the ones after it, so that there is one place that knows the rules. They
 * are asked as of `madeAt`, when the plan is made, and described as of `now`.
 */
export function candidatesOf(
  plan: Plan,
  governed: EndpointPlan,
  madeAt: number,
  now: number,
): Candidate[] {
  let left: EndpointPlan = { ...governed, minIntervalMs: null, maxIntervalMs: null }
  let isDecided = false
  return candidateKinds.map((kind) => {
    const answer = planNextRun(left, madeAt)
    const valid = answer.source === kind
    const chosen = valid && !isDecided
    isDecided ||= valid
    left = without(left, kind)
    const nextRunAt = valid && answer.nextRunAt !== null ? instantText(answer.nextRunAt) : null
    return { kind, nextRunAt, valid, chosen, why: whyOf(kind, valid, plan, governed, now) }
  })
}

function without(governed: EndpointPlan, kind: CandidateKind): EndpointPlan {
  if (kind === 'paused') return { ...governed, pausedUntil: null }
  if (kind === 'ai-oneshot') return { ...governed, aiHintNextRunAt: null }
  return kind === 'ai-interval' ? { ...governed, aiHintIntervalMs: null } : governed
}

function whyOf(
  kind: CandidateKind,
  valid: boolean,
  plan: Plan,
  governed: EndpointPlan,
  now: number,
): string {
  if (kind === 'paused') return pauseWhy(plan, now)
  if (kind === 'ai-oneshot') return hintWhy(plan.oneShotHint, valid, 'one-shot hint', now)
  if (kind === 'ai-interval') {
    const { intervalHint: hint } = plan
    const interval = hint === null ? '' : `every ${formatDuration(hint.intervalMs)}, `
    return interval + hintWhy(plan.intervalHint, valid, 'interval hint', now)
  }
  if (!valid) return 'the endpoint has the other baseline'
  if (kind === 'baseline-cron') return 'the first time of the schedule that is after now'
  const since = plan.lastRunAt === null ? 'creation' : 'the last run'
  const { baselineIntervalMs, jitterMs } = governed
  const jitter = (jitterMs ?? 0) > 0 ? ` and up to ${formatDuration(jitterMs!)}` : ''
  return `${formatDuration(baselineIntervalMs!)}${jitter} after ${since}`
}

function pauseWhy({ pausedUntil, pauseReason }: Plan, now: number): string {
  if (pausedUntil === null) return 'it is not paused'
  const until = instantText(pausedUntil)
  if (pausedUntil <= now) return `the pause ended at ${until}`
  return `paused until ${until}${reasonText(pauseReason)}`
}

function hintWhy(hint: GivenHint | null, valid: boolean, noun: string, now: number): string {
  if (hint === null) return `there is no ${noun}`
  const until = instantText(hint.expiresAt)
  if (!valid && hint.expiresAt > now) return `the ${noun} ends at ${until}, before the next run`
  if (!valid) return `the ${noun} expired at ${until}`
  return `${noun} by ${giverOf(hint)} until ${until}${reasonText(hint.reason)}`
}

interface GivenHint {
  readonly expiresAt: number
  readonly by: string
  readonly keyName?: string
  readonly reason: string | null
}

const reasonText = (reason: string | null): string => (reason === null ? '' : `: ${reason}`)
