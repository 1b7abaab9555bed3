import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { cancelOpenRuns } from '../runs/cancel-open-runs.js'
import { checkVersion, type VersionCondition } from '../version-condition.js'
import { loadJob } from './load-job.js'
import { auditedJob } from './store-job.js'
import { suspendEndpoints } from './suspend-endpoints.js'

export async function deleteJob(
  call: Call,
  id: string,
  condition: VersionCondition,
): Promise<void> {
  const job = await loadJob(call, id)
  checkVersion(condition, job.version)
  // Locks the plans before the runs, as workers do it.
  await suspendEndpoints(call, id, 'deleted')
  await cancelOpenRuns(call, { jobId: id }, 'deleted')
  await call.rows.jobs.delete(id)
  const before = auditedJob(job)
  await auditChange(call, { action: 'job.delete', subject: id, before, after: null })
  call.announce('job.changed', id, 'deleted')
}
