import { isId, type Job } from '../../domain/index.js'
import type { Call } from '../call.js'
import { notFound } from '../service-error.js'

/** The job, locked until the call ends. */
export async function loadJob({ rows }: Call, id: string): Promise<Job> {
  return there(isId('job', id) ? await rows.jobs.get(id) : null)
}

/** The same for those who change nothing. */
export async function readJob({ rows }: Call, id: string): Promise<Job> {
  return there(isId('job', id) ? await rows.jobs.read(id) : null)
}

function there(job: Job | null): Job {
  if (job === null) throw notFound('job')
  return job
}
