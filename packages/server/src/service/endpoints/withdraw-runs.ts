import { type Plan, type Run, type RunKey, runId } from '../../domain/index.js'
import type { RunFilter } from '../../store/index.js'
import type { Call } from '../call.js'
import { everyItem } from '../every-item.js'

/** Takes back what was claimed ahead of its time and has not become due yet. */
export async function withdrawClaimed(call: Call, plan: Plan, reason: string): Promise<Plan> {
  const { rows } = call
  const { endpointId, held } = plan
  for await (const { scheduledFor } of claimedAhead(call, { endpointId })) {
    await withdraw(call, { endpointId, scheduledFor }, reason)
  }
  if (held === null || held.scheduledFor <= rows.now) return plan
  return { ...plan, held: null, fence: plan.fence + 1 }
}

/** Runs that workers have and have not sent, since their time has not come. */
export function claimedAhead(
  { rows }: Call,
  filter: Pick<RunFilter, 'endpointId' | 'jobId'>,
): AsyncIterable<Run> {
  const ahead: RunFilter = { ...filter, status: ['running'], from: rows.now + 1 }
  return everyItem((page) => rows.runs.list({ ...ahead, ...page }))
}

/** Takes back a run that somebody asked for and no worker has taken. */
export async function withdrawRequested(call: Call, plan: Plan, reason: string): Promise<Plan> {
  if (plan.requested === null) return plan
  const scheduledFor = plan.requested.at
  await withdraw(call, { endpointId: plan.endpointId, scheduledFor }, reason)
  return { ...plan, requested: null }
}

async function withdraw({ rows, announce }: Call, key: RunKey, reason: string): Promise<void> {
  await rows.runs.end(key, { status: 'cancelled', reason, at: rows.now })
  rows.abort(key)
  announce('run.ended', runId(key), 'cancelled')
}
