import type { Job } from '../../domain/index.js'
import type { Call } from '../call.js'
import { loadJob } from './load-job.js'
import { storeJob } from './store-job.js'
import { suspendEndpoints } from './suspend-endpoints.js'
import { jobArchived } from './update-job.js'

/** From now on nothing of the job is planned. What is under way runs to its end. */
export async function pauseJob(call: Call, id: string): Promise<Job> {
  const job = await loadJob(call, id)
  if (job.status === 'archived') throw jobArchived()
  if (job.status === 'paused') return job
  await suspendEndpoints(call, id, 'paused')
  return storeJob(call, job, { status: 'paused' }, 'job.pause')
}
