import {
  type EndpointWithPlan,
  type Plan,
  parseRunId,
  type Run,
  type RunKey,
  runId,
  untaken,
} from '../domain/index.js'
import { type EndedRun, freed } from '../scheduling/index.js'
import { everyItem, type OpenRunFilter, type RunFilter } from '../store/index.js'
import type { Call } from './call.js'
import { auditChange } from './change.js'
import { compileChecked, storeReplanned } from './endpoints/stored-endpoint.js'
import { existing, Refusal } from './refusal.js'

/** The run, locked until the call ends. */
async function loadRun({ rows }: Call, id: string): Promise<Run> {
  const key = parseRunId(id)
  return existing(key === null ? null : await rows.runs.get(key), 'run')
}

/** The same without a lock: the worker that records a run must not wait for its readers. */
export async function readRun({ rows }: Call, id: string): Promise<Run> {
  const key = parseRunId(id)
  return existing(key === null ? null : await rows.runs.read(key), 'run')
}

/**
 * A run that is to be changed, with its endpoint unless that was deleted. The endpoint is locked
 * first, as workers do it: two that lock in different orders would wait for each other.
 */
export async function loadRunOfEndpoint(
  call: Call,
  id: string,
): Promise<{ readonly run: Run; readonly found: EndpointWithPlan | null }> {
  const key = parseRunId(id)
  const found = key === null ? null : await call.rows.endpoints.get(key.endpointId)
  return { run: await loadRun(call, id), found }
}

/** Ends a run at once; its worker hears of it, and can't record a result any more. */
export async function cancelRun(call: Call, id: string): Promise<Run> {
  const { rows } = call
  const { run, found } = await loadRunOfEndpoint(call, id)
  const { endpointId, scheduledFor, status } = run
  const key: RunKey = { endpointId, scheduledFor }
  if (!(await rows.runs.end(key, { status: 'cancelled', reason: 'user', at: rows.now }))) {
    throw new Refusal('run_ended', 'The run has ended already.')
  }
  rows.abort(key)
  if (found !== null) await letGo(call, found, scheduledFor)
  const before = { status }
  const after = { status: 'cancelled' }
  await auditChange(call, { action: 'run.cancel', subject: id, before, after })
  call.announce('run.ended', id, 'cancelled')
  return loadRun(call, runId(key))
}

/** The endpoint, once this run no longer holds it, nor waits to. */
async function letGo(
  call: Call,
  { endpoint, plan }: EndpointWithPlan,
  scheduledFor: number,
): Promise<void> {
  const { now } = call.rows
  if (plan.requested?.at === scheduledFor) {
    await storeReplanned(call, endpoint, { ...plan, requested: null })
    return
  }
  if (plan.held?.scheduledFor !== scheduledFor) return
  const free = freed(plan, compileChecked(endpoint), now)
  for (const run of free.ended) await insertEnded(call, run)
  // It counts as the last run, begun or not: otherwise its interval would be over at once.
  await storeReplanned(call, endpoint, {
    ...free.plan,
    fence: plan.fence + 1,
    lastRunAt: Math.max(scheduledFor, plan.lastRunAt ?? scheduledFor),
    lastStatus: 'cancelled',
  })
}

/** Writes down a period that came and was not run, as workers do it. */
export async function insertEnded(
  { rows, tenantId, announce }: Call,
  run: EndedRun,
): Promise<void> {
  const { wasRunning: _, stretch, ...same } = run
  const inserted = await rows.runs.insert({
    ...untaken,
    ...same,
    tenantId,
    fence: 0,
    endedAt: rows.now,
    context: { failureCount: 0, ...(stretch && { stretch }) },
  })
  if (inserted) announce('run.ended', runId(run), run.status)
}

/** Takes back what was claimed ahead of its time and has not become due yet. */
export async function withdrawClaimed(call: Call, plan: Plan, reason: string): Promise<Plan> {
  const { rows } = call
  const { endpointId, held } = plan
  // Not of the beginning: the call may have waited for the endpoint, and what is sent is sent.
  const now = await rows.time()
  const ahead: RunFilter = { endpointId, status: ['running'], from: now + 1 }
  const runs = everyItem((page) => rows.runs.list({ ...ahead, ...page }))
  for await (const { scheduledFor } of runs) {
    await withdraw(call, { endpointId, scheduledFor }, reason)
  }
  if (held === null || held.scheduledFor <= now) return plan
  return { ...plan, held: null, fence: plan.fence + 1 }
}

/** Takes back a run that somebody asked for and no worker has taken. */
export async function withdrawRequested(call: Call, plan: Plan, reason: string): Promise<Plan> {
  if (plan.requested === null) return plan
  const scheduledFor = plan.requested.at
  await withdraw(call, { endpointId: plan.endpointId, scheduledFor }, reason)
  return { ...plan, requested: null }
}

/** Ends a run that is pending or running. */
export async function withdraw(call: Call, key: RunKey, reason: string): Promise<void> {
  const { rows } = call
  const end = { status: 'cancelled', reason, at: rows.now } as const
  if (await rows.runs.end(key, end)) tellWithdrawn(call, key)
}

export function tellWithdrawn({ rows, announce }: Call, key: RunKey): void {
  rows.abort(key)
  announce('run.ended', runId(key), 'cancelled')
}

/** Ends all that is pending or running of an endpoint or a job that goes away. */
export async function cancelOpenRuns(call: Call, of: OpenRunFilter, reason: string): Promise<void> {
  for (const run of await call.rows.runs.open(of)) await withdraw(call, run, reason)
}
