import { type EndpointWithPlan, type Run, type RunKey, runId } from '../../domain/index.js'
import { freed } from '../../scheduling/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { compileChecked } from '../endpoints/compile-checked.js'
import { storeReplanned } from '../endpoints/store-plan.js'
import { ServiceError } from '../service-error.js'
import { insertEnded } from './insert-ended.js'
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
