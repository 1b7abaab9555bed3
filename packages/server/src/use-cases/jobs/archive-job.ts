import type { Job } from '../../domain/index.js'
import type { Call } from '../call.js'
import { withdrawRequested } from '../endpoints/withdraw-runs.js'
import { loadJob } from './load-job.js'
import { storeJob } from './store-job.js'
import { suspendEndpoints } from './suspend-endpoints.js'

/** Puts the job away with all that it has; its name is free again. */
export async function archiveJob(call: Call, id: string): Promise<Job> {
  const job = await loadJob(call, id)
  if (job.status === 'archived') return job
  await suspendEndpoints(call, id, 'archived')
  await withdrawPending(call, id)
  return storeJob(call, job, { status: 'archived' }, 'job.archive')
}

/** Runs that somebody asked for and no worker has taken. Suspending has locked the plans. */
async function withdrawPending(call: Call, jobId: string): Promise<void> {
  const { runs, endpoints } = call.rows
  for (const { endpointId, scheduledFor } of await runs.open({ jobId })) {
    const plan = (await endpoints.read(endpointId))?.plan
    if (plan === undefined || plan.requested?.at !== scheduledFor) continue
    await call.rows.plans.put(await withdrawRequested(call, plan, 'archived'))
  }
}
