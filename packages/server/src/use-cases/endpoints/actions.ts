import type { EndpointWithPlan, Run } from '../../domain/index.js'
import { outOfReach, reachOf } from '../../scheduling/index.js'
import { type Call, giving } from '../call.js'
import { auditChange, checkVersion, type VersionCondition } from '../change.js'
import { invalidField } from '../refusal.js'
import { requestRun } from '../requested-runs.js'
import { cancelOpenRuns, withdrawClaimed, withdrawRequested } from '../runs.js'
import { checkEndpointQuota } from './checks.js'
import {
  auditedEndpoint,
  changePlan,
  loadEndpoint,
  readEndpoint,
  storeEndpoint,
} from './stored-endpoint.js'

export interface Pause {
  readonly pausedUntil: number
  readonly reason: string | null
}

/** Nothing is planned before the pause ends, and what was claimed for later is taken back. */
export async function pauseEndpoint(
  call: Call,
  id: string,
  { pausedUntil, reason }: Pause,
): Promise<EndpointWithPlan> {
  const { endpoint, plan } = await loadEndpoint(call, id)
  if (pausedUntil <= call.rows.now) {
    throw invalidField('pausedUntil', 'out_of_range', 'pausedUntil must be in the future')
  }
  const free = await withdrawClaimed(call, plan, 'paused')
  const change = { pausedUntil, pauseReason: reason }
  return changePlan(call, { endpoint, plan: free }, change, 'endpoint.pause', reason)
}

/** Ends a pause at once, and brings an archived endpoint back. */
export async function resumeEndpoint(call: Call, id: string): Promise<EndpointWithPlan> {
  // The job is locked first, as those do it who change all that it has.
  const { jobId } = (await readEndpoint(call, id)).endpoint
  const job = await call.rows.jobs.get(jobId)
  const found = await loadEndpoint(call, id)
  const { endpoint, plan } = found
  const resumed = { ...plan, pausedUntil: null, pauseReason: null }
  if (endpoint.archivedAt !== null) {
    const active = { ...resumed, suspended: job?.status !== 'active' }
    const back = await storeEndpoint(
      call,
      endpoint,
      { archivedAt: null },
      active,
      'endpoint.resume',
    )
    await checkEndpointQuota(call)
    return back
  }
  if (plan.pausedUntil === null) return found
  return changePlan(call, found, resumed, 'endpoint.resume')
}

/** Puts an endpoint away: it keeps its history and runs no more. A run under way ends as it may. */
export async function archiveEndpoint(call: Call, id: string): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  const { endpoint, plan } = found
  if (endpoint.archivedAt !== null) return found
  const unclaimed = await withdrawClaimed(call, plan, 'archived')
  const free = await withdrawRequested(call, unclaimed, 'archived')
  const archivedAt = call.rows.now
  return storeEndpoint(
    call,
    endpoint,
    { archivedAt },
    { ...free, suspended: true },
    'endpoint.archive',
  )
}

export async function deleteEndpoint(
  call: Call,
  id: string,
  condition: VersionCondition,
): Promise<void> {
  const { endpoint } = await loadEndpoint(call, id)
  checkVersion(condition, endpoint.version)
  await cancelOpenRuns(call, { endpointId: id }, 'deleted')
  await call.rows.endpoints.delete(id)
  const before = auditedEndpoint(endpoint)
  await auditChange(call, { action: 'endpoint.delete', subject: id, before, after: null })
  call.announce('endpoint.changed', id, 'deleted')
}

/** A run now, beside whatever is planned. */
export async function runEndpoint(call: Call, id: string): Promise<Run> {
  const found = await loadEndpoint(call, id)
  return requestRun(call, found, { source: 'manual', replayOf: null })
}

interface IntervalWish {
  readonly intervalMs: number
  readonly ttlMinutes: number
  readonly reason: string | null
}

/** Another interval for a while. The Governor keeps it between the endpoint's limits. */
export async function hintInterval(
  call: Call,
  id: string,
  { intervalMs, ttlMinutes, reason }: IntervalWish,
): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  const expiresAt = call.rows.now + ttlMinutes * 60_000
  const intervalHint = { intervalMs, expiresAt, reason, ...giving(call) }
  return changePlan(call, found, { intervalHint }, 'endpoint.hint_interval', reason)
}

interface OneShotWish {
  readonly nextRunAt: number
  readonly ttlMinutes: number
  readonly reason: string | null
}

/** One run at this instant in place of the next one by the baseline, if it can come to be. */
export async function hintOneShot(
  call: Call,
  id: string,
  { nextRunAt, ttlMinutes, reason }: OneShotWish,
): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  const expiresAt = call.rows.now + ttlMinutes * 60_000
  const flaw = outOfReach({ nextRunAt, expiresAt }, reachOf(found.plan, found.endpoint.definition))
  if (flaw !== null) throw invalidField('nextRunAt', 'after_expiry', `nextRunAt ${flaw}`)
  const oneShotHint = { nextRunAt, expiresAt, reason, ...giving(call) }
  return changePlan(call, found, { oneShotHint }, 'endpoint.hint_one_shot', reason)
}

/** Back to the baseline. */
export async function clearHints(call: Call, id: string): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  if (found.plan.intervalHint === null && found.plan.oneShotHint === null) return found
  const none = { intervalHint: null, oneShotHint: null }
  return changePlan(call, found, none, 'endpoint.clear_hints')
}

export async function resetFailures(call: Call, id: string): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  if (found.plan.failureCount === 0) return found
  return changePlan(call, found, { failureCount: 0 }, 'endpoint.reset_failures')
}
