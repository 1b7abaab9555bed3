import type { Call } from '../call.js'
import { tellWithdrawn } from '../endpoints/withdraw-runs.js'

/** Nothing of the job is planned any more, and what was claimed for later is taken back. */
export async function suspendEndpoints(call: Call, jobId: string, reason: string): Promise<void> {
  for (const run of await call.rows.plans.suspend(jobId, reason)) tellWithdrawn(call, run)
}
