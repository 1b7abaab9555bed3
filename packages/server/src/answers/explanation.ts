import { planNextRun } from '@kron/core'
import { instantText, isQuotaHold, type Plan, type PlannedSource } from '../domain/index.js'
import {
  type CompiledEndpoint,
  freePlan,
  governed,
  isRun,
  noQuota,
  withinQuota,
} from '../scheduling/index.js'
import { type Candidate, candidatesOf } from './candidate.js'
import { type DecisionAccount, decisionAccount } from './decision-account.js'
import { sentencesOf } from './explanation-sentences.js'

export type { Candidate, CandidateKind } from './candidate.js'

interface Clamp {
  readonly limit: 'minIntervalMs' | 'maxIntervalMs'
  readonly intervalMs: number
  /** The last run, or the creation when there was none. */
  readonly since: string
  /** What the chosen candidate wanted; null is never. */
  readonly wanted: string | null
  readonly nextRunAt: string
}

/** Why an endpoint runs when it does, as a document: instants are text. */
export interface Explanation {
  readonly endpointId: string
  readonly at: string
  /** `running`: the next plan is made when the run ends; what follows is as if it ended now. */
  readonly state: 'planned' | 'running' | 'suspended' | 'quota' | 'finished'
  /** What will come of it: without what hints ask for only after their end, and within the quota. */
  readonly plan: {
    readonly nextRunAt: string | null
    readonly source: PlannedSource
    readonly periodId: string | null
  }
  /** Since when the schedule counts with its present timing; null for an interval. */
  readonly responsibleSince: string | null
  /** In the order in which they are asked. */
  readonly candidates: readonly Candidate[]
  readonly clamp: Clamp | null
  /** How the next period of the cron baseline came to its time. */
  readonly decision: DecisionAccount | null
  readonly sentences: readonly string[]
}

export function explainPlan(
  plan: Plan,
  compiled: CompiledEndpoint,
  now: number,
  allowance = noQuota(),
): Explanation {
  const free = asIfEnded(plan)
  const coming = freePlan(plan, compiled, now)
  // As `replan` does: what was handled is not planned again, wherever the clock stands.
  const from = Math.max(coming.madeAt, free.handledThrough ?? coming.madeAt)
  const asked = governed(free, compiled)
  const candidates = candidatesOf(free, asked, from, now)
  const made = withinQuota(coming.plan, compiled, allowance, now)
  const facts = {
    endpointId: plan.endpointId,
    at: instantText(now),
    state: stateOf(plan, made, compiled),
    responsibleSince: textOrNull(free.responsibility?.since ?? null),
    plan: {
      nextRunAt: made.suspended ? null : textOrNull(made.nextRunAt),
      source: made.source,
      periodId: made.suspended ? null : made.periodId,
    },
    candidates,
    clamp: isRun(made) ? clampOf(free, compiled, candidates, from) : null,
    decision: compiled.job === null ? null : decisionAccount(compiled.job, from),
  }
  const { undone } = coming
  const { systemPerMonth } = allowance
  return {
    ...facts,
    sentences: sentencesOf(facts, { plan, undone, compiled, systemPerMonth, now }),
  }
}

function asIfEnded(plan: Plan): Plan {
  return plan.held === null ? plan : { ...plan, held: null, lastRunAt: plan.held.scheduledFor }
}

function stateOf(plan: Plan, made: Plan, { policy }: CompiledEndpoint): Explanation['state'] {
  if (plan.held !== null) return 'running'
  if (plan.suspended || policy.suspend) return 'suspended'
  if (isQuotaHold(made.source)) return 'quota'
  return made.nextRunAt === null ? 'finished' : 'planned'
}

function clampOf(
  plan: Plan,
  compiled: CompiledEndpoint,
  candidates: readonly Candidate[],
  now: number,
): Clamp | null {
  const asked = governed(plan, compiled)
  const { nextRunAt, source } = planNextRun(asked, now)
  if (nextRunAt === null || (source !== 'clamped-min' && source !== 'clamped-max')) return null
  const limit = source === 'clamped-min' ? 'minIntervalMs' : 'maxIntervalMs'
  return {
    limit,
    intervalMs: asked[limit]!,
    since: instantText(plan.lastRunAt ?? plan.createdAt),
    wanted: candidates.find(({ chosen }) => chosen)?.nextRunAt ?? null,
    nextRunAt: instantText(nextRunAt),
  }
}

const textOrNull = (instant: number | null): string | null =>
  instant === null ? null : instantText(instant)
