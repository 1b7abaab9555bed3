import type { Job } from '../../domain/index.js'
import type { Call } from '../call.js'
import { ServiceError } from '../service-error.js'
import { checkVersion, type VersionCondition } from '../version-condition.js'
import { loadJob } from './load-job.js'
import { storeJob } from './store-job.js'

export interface JobChange {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
}

export async function updateJob(
  call: Call,
  id: string,
  { name, description }: JobChange,
  condition: VersionCondition,
): Promise<Job> {
  const job = await loadJob(call, id)
  checkVersion(condition, job.version)
  if (job.status === 'archived') throw jobArchived()
  const change = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  }
  if (Object.keys(change).length === 0) return job
  return storeJob(call, job, change, 'job.update')
}

export function jobArchived(): ServiceError {
  return new ServiceError('job_archived', 'The job is archived. Resume it first.')
}
