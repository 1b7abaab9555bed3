import { isId, type Job } from '../../domain/index.js'
import type { Call } from '../call.js'
import { notFound } from '../service-error.js'

export async function loadJob({ rows }: Call, id: string): Promise<Job> {
  const job = isId('job', id) ? await rows.jobs.get(id) : null
  if (job === null) throw notFound('job')
  return job
}
