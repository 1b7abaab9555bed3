import { type Job, newId } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { auditedJob, nameTaken } from './store-job.js'

export interface NewJob {
  readonly name: string
  readonly description: string | null
}

export async function createJob(call: Call, { name, description }: NewJob): Promise<Job> {
  const { rows, tenantId } = call
  const job: Job = {
    id: newId('job', rows.now),
    tenantId,
    name,
    description,
    status: 'active',
    version: 1,
    createdAt: rows.now,
    updatedAt: rows.now,
  }
  if (!(await rows.jobs.insert(job))) throw nameTaken(name)
  const after = auditedJob(job)
  await auditChange(call, { action: 'job.create', subject: job.id, before: null, after })
  call.announce('job.changed', job.id, job.status)
  return job
}
