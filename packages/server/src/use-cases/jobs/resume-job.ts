import type { Job } from '../../domain/index.js'
import type { Call } from '../call.js'
import { loadJob } from './load-job.js'
import { storeJob } from './store-job.js'

/** Ends a pause, and brings an archived job back. */
export async function resumeJob(call: Call, id: string): Promise<Job> {
  const job = await loadJob(call, id)
  if (job.status === 'active') return job
  await call.rows.plans.unsuspend(id)
  const resumed = await storeJob(call, job, { status: 'active' }, 'job.resume')
  call.rows.wakeAt(call.rows.now)
  return resumed
}
