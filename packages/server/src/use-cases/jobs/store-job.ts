import type { Job } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { ServiceError } from '../service-error.js'

/** What the audit log keeps of a job. */
export function auditedJob({ name, description, status }: Job): Readonly<Record<string, unknown>> {
  return { name, description, status }
}

export function nameTaken(name: string): ServiceError {
  const message = `Another job that is not archived has the name ${JSON.stringify(name)}.`
  return new ServiceError('name_taken', message, [{ field: 'name', code: 'name_taken', message }])
}

/** Writes a changed job under its next version, and says so. */
export async function storeJob(
  call: Call,
  before: Job,
  change: Partial<Pick<Job, 'name' | 'description' | 'status'>>,
  action: string,
): Promise<Job> {
  const { rows } = call
  const job = { ...before, ...change, version: before.version + 1, updatedAt: rows.now }
  if (!(await rows.jobs.update(job))) throw nameTaken(job.name)
  const subject = job.id
  await auditChange(call, { action, subject, before: auditedJob(before), after: auditedJob(job) })
  call.announce('job.changed', job.id, job.status)
  return job
}
