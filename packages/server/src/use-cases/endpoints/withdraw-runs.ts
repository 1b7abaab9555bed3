import { type Plan, type RunKey, runId } from '../../domain/index.js'
import type { RunFilter } from '../../store/index.js'
import type { Call } from '../call.js'
import { everyItem } from '../every-item.js'

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
