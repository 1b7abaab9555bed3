import type { Plan } from '../../domain/index.js'
import { isRequested } from '../../scheduling/claim-decision.js'
import type { ClaimDecision, Planning } from '../../scheduling/index.js'
import { leaseGraceMs } from '../../scheduling/wake.js'
import type { Claim, ClaimedRun, ClaimRequest } from '../claim.js'
import { StoreError } from '../store.js'
import type { EndedRow, FencedRun, HotStatements, RunState, TakenRun } from './hot-statements.js'

/** Overlapping runs that are looked after in one claim. */
const maxLost = 100

/**
 * A claim, inside of a transaction that the caller commits.
 *
 *  1. lock the endpoints that wake, leaving out those that another worker has locked; where all
 *     tenants together have a quota of runs, wait for who counts against it
 *  2. decide for each what happens: start, missed, skipped, lost, or only another plan
 *  3. make the run rows; where the row of that instant exists already, nothing starts
 *  4. write the plans: no longer due, or held by a run with a lease
 *  5. count the runs, of their tenants and of all together
 *  6. write the claim's name with what it took
 *
 * Dying anywhere before the commit leaves everything as it was. After it the runs are ours, and if
 * the answer got lost `settleClaim` finds them by the claim's name; if nobody asks any more, their
 * leases end and they are lost runs. Step 6 fails when the claim was settled as "never happened":
 * then nothing of it happens.
 */
export async function claimDue(
  statements: HotStatements,
  request: ClaimRequest,
  planning: Planning,
): Promise<Claim & { readonly replaced: readonly TakenRun[] }> {
  const { now } = statements
  const { withinMs, limit, without = [] } = request
  const due = await statements.lockDue(now + withinMs, limit, without)
  await learnMissing(statements, planning, due)
  const decisions = await decideAll(statements, planning, due)

  const started: ClaimedRun[] = []
  for (const { plan, start } of decisions) {
    if (start === null) continue
    started.push({ ...start, tenantId: plan.tenantId, version: plan.version })
  }
  const isOurs = await statements.startRuns(started, request)
  const claimed = started.filter((_, index) => isOurs[index])
  const replaced = await replaceRuns(statements, decisions, claimed)
  const ended = decisions.flatMap(({ plan, ended }) =>
    ended.map((run): EndedRow => ({ ...run, tenantId: plan.tenantId })),
  )
  await statements.endRuns(ended)
  await statements.putPlans(freeRefused(decisions, started, isOurs))
  await statements.countRuns(countByTenant(claimed))
  await statements.insertClaim(request.claimId, claimed)
  const full = due.length >= limit
  const lost = await statements.endLostRuns(now - leaseGraceMs, maxLost)
  return {
    now,
    claimed,
    ended: [...ended, ...lost.map(lostOverlapping)],
    replaced,
    full,
    ...(await statements.nextWakes(request.crowd, leaseGraceMs)),
    ...(full && { nextWakeAt: now }),
  }
}

/** The runs of a claim that took effect, as far as they are still its owner's. */
export async function adoptClaim(
  statements: HotStatements,
  taken: readonly FencedRun[],
  planning: Planning,
): Promise<Claim> {
  const { now } = statements
  const nothing: Claim = {
    now,
    claimed: [],
    ended: [],
    full: false,
    nextWakeAt: null,
    nextCrowdAt: null,
  }
  if (taken.length === 0) return nothing
  const ids = taken.map(({ endpointId }) => endpointId).sort()
  const plans = new Map((await statements.lockPlans(ids)).map((plan) => [plan.endpointId, plan]))
  await learnMissing(statements, planning, [...plans.values()])
  const states = new Map(
    (await statements.readRuns(taken)).map((state) => [state.endpointId, state] as const),
  )
  const claimed = taken.flatMap(({ endpointId, fence }) => {
    const plan = plans.get(endpointId)
    const state = states.get(endpointId)
    if (plan === undefined || state?.status !== 'running' || state.fence !== fence) return []
    return adopted(plan, state)
  })
  return { ...nothing, claimed }
}

function adopted(plan: Plan, state: RunState): ClaimedRun[] {
  const { endpointId, scheduledFor, periodId, source, fence, attempts, overlapLease } = state
  const leaseUntil = overlapLease ?? plan.held?.leaseUntil
  if (leaseUntil === undefined) return []
  return [
    {
      endpointId,
      tenantId: plan.tenantId,
      version: plan.version,
      scheduledFor,
      periodId,
      source,
      fence,
      leaseUntil,
      attempts,
      context: { failureCount: plan.failureCount },
      overlapping: overlapLease !== null,
      replaces: 'running',
    },
  ]
}

export async function learnMissing(
  statements: HotStatements,
  planning: Planning,
  plans: readonly Plan[],
): Promise<void> {
  const missing = plans.filter((plan) => !planning.knows(plan.endpointId, plan.version))
  if (missing.length === 0) return
  const endpoints = await statements.readEndpoints(missing.map(({ endpointId }) => endpointId))
  for (const endpoint of endpoints) planning.learn(endpoint)
}

async function decideAll(
  statements: HotStatements,
  planning: Planning,
  due: readonly Plan[],
): Promise<ClaimDecision[]> {
  const tenantIds = [...new Set(due.map(({ tenantId }) => tenantId))]
  if (tenantIds.length === 0) return []
  const left = new Map(await statements.runsLeft(tenantIds))
  let systemRunsLeft = await statements.systemRunsLeft()
  const decisions: ClaimDecision[] = []
  for (const plan of due) {
    const runsLeft = left.get(plan.tenantId) ?? null
    const decision = planning.decideClaim({ plan, runsLeft, systemRunsLeft }, statements.now)
    if (decision === null) continue
    decisions.push(decision)
    if (decision.start === null) continue
    if (runsLeft !== null) left.set(plan.tenantId, runsLeft - 1)
    if (systemRunsLeft !== null) systemRunsLeft -= 1
  }
  return decisions
}

async function replaceRuns(
  statements: HotStatements,
  decisions: readonly ClaimDecision[],
  claimed: readonly ClaimedRun[],
): Promise<readonly TakenRun[]> {
  if (!decisions.some(({ replaceOthers }) => replaceOthers)) return []
  const replacing = new Set(
    decisions.filter(({ replaceOthers }) => replaceOthers).map(({ plan }) => plan.endpointId),
  )
  return statements.replaceRuns(claimed.filter(({ endpointId }) => replacing.has(endpointId)))
}

/** A row of that instant was there: the period is handled, and its endpoint is not held for it. */
function freeRefused(
  decisions: readonly ClaimDecision[],
  started: readonly ClaimedRun[],
  isOurs: readonly boolean[],
): Plan[] {
  const refused = new Set<string>()
  started.forEach(({ endpointId }, index) => {
    if (!isOurs[index]) refused.add(endpointId)
  })
  return decisions.map(({ plan }) => {
    const { held } = plan
    if (!refused.has(plan.endpointId) || held === null) return plan
    // A run that was asked for and is gone leaves the plan beside it as it was.
    if (isRequested(held.source)) return { ...plan, held: null }
    return { ...plan, held: null, nextRunAt: held.scheduledFor + 1, source: 'paused' as const }
  })
}

function countByTenant(claimed: readonly ClaimedRun[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tenantId } of claimed) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1)
  return counts
}

function lostOverlapping(run: { tenantId: string; endpointId: string; scheduledFor: number }) {
  return {
    ...run,
    periodId: '',
    source: 'baseline-cron' as const,
    status: 'cancelled' as const,
    reason: 'worker_lost',
    error: null,
    wasRunning: true,
  }
}

export function alreadySettled(claimId: string): StoreError {
  return new StoreError('conflict', `claim ${claimId} was settled before it ended`, 'no')
}

/** What a claim took, as it is stored beside the claim's name. */
export function takenText(taken: readonly FencedRun[]): string {
  return JSON.stringify(
    taken.map(({ endpointId, scheduledFor, fence }) => [endpointId, scheduledFor, fence]),
  )
}

export function takenOf(text: string | null): FencedRun[] {
  if (text === null) return []
  const rows = JSON.parse(text) as [string, number, number][]
  return rows.map(([endpointId, scheduledFor, fence]) => ({ endpointId, scheduledFor, fence }))
}
