import type { Job } from '../../domain/index.js'
import type { Call } from '../call.js'
import { loadJob } from './load-job.js'
import { storeJob } from './store-job.js'
import { suspendEndpoints } from './suspend-endpoints.js'

/** Puts the job away with all that it has; its name is free again. */
export async function archiveJob(call: Call, id: string): Promise<Job> {
  const job = await loadJob(call, id)
  if (job.status === 'archived') return job
  await suspendEndpoints(call, id, 'archived')
  return storeJob(call, job, { status: 'archived' }, 'job.archive')
}
