import { type Plan, type Run, type RunKey, runId } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { storeReplanned } from '../endpoints/store-plan.js'
import { ServiceError } from '../service-error.js'
import { loadRun, loadRunOfEndpoint } from './load-run.js'

/** Ends a run at once; whoever executes it is told, and can't record a result any more. */
export async function cancelRun(call: Call, id: string): Promise<Run> {
  const { rows } = call
  const { run, found } = await loadRunOfEndpoint(call, id)
  const { endpointId, scheduledFor, status } = run
  const key: RunKey = { endpointId, scheduledFor }
  if (!(await rows.runs.end(key, { status: 'cancelled', reason: 'user', at: rows.now }))) {
    throw new ServiceError('run_ended', 'The run has ended already.')
  }
  rows.abort(key)
  if (found !== null) {
    const plan = withoutRun(found.plan, scheduledFor, rows.now)
    if (plan !== found.plan) await storeReplanned(call, found.endpoint, plan)
  }
  const before = { status }
  const after = { status: 'cancelled' }
  await auditChange(call, { action: 'run.cancel', subject: id, before, after })
  call.announce('run.ended', id, 'cancelled')
  return loadRun(call, runId(key))
}

/** The plan once this run no longer holds the endpoint, nor waits to. */
function withoutRun(plan: Plan, scheduledFor: number, now: number): Plan {
  if (plan.requested?.at === scheduledFor) return { ...plan, requested: null }
  if (plan.held?.scheduledFor !== scheduledFor) return plan
  // One that had begun counts as the last run: otherwise its interval would be over at once.
  const begun = scheduledFor <= now
  return {
    ...plan,
    held: null,
    fence: plan.fence + 1,
    lastRunAt: begun ? Math.max(scheduledFor, plan.lastRunAt ?? scheduledFor) : plan.lastRunAt,
    lastStatus: begun ? 'cancelled' : plan.lastStatus,
  }
}
