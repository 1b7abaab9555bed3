import { isId, type Job, newId } from '../domain/index.js'
import type { Call } from './call.js'
import { auditChange, checkVersion, type VersionCondition } from './change.js'
import { existing, Refusal } from './refusal.js'
import { cancelOpenRuns, tellWithdrawn, withdrawRequested } from './runs.js'

/** The job, locked until the call ends. */
export async function loadJob({ rows }: Call, id: string): Promise<Job> {
  return existing(isId('job', id) ? await rows.jobs.get(id) : null, 'job')
}

/** The same for those who change nothing. */
export async function readJob({ rows }: Call, id: string): Promise<Job> {
  return existing(isId('job', id) ? await rows.jobs.read(id) : null, 'job')
}

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

export function jobArchived(): Refusal {
  return new Refusal('job_archived', 'The job is archived. Resume it first.')
}

/** From now on nothing of the job is planned. What is under way runs to its end. */
export async function pauseJob(call: Call, id: string): Promise<Job> {
  const job = await loadJob(call, id)
  if (job.status === 'archived') throw jobArchived()
  if (job.status === 'paused') return job
  await suspendEndpoints(call, id, 'paused')
  return storeJob(call, job, { status: 'paused' }, 'job.pause')
}

/** Ends a pause, and brings an archived job back. */
export async function resumeJob(call: Call, id: string): Promise<Job> {
  const job = await loadJob(call, id)
  if (job.status === 'active') return job
  await call.rows.plans.unsuspend(id)
  const resumed = await storeJob(call, job, { status: 'active' }, 'job.resume')
  call.rows.wakeAt(call.rows.now)
  return resumed
}

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

/** Nothing of the job is planned any more, and what was claimed for later is taken back. */
export async function suspendEndpoints(call: Call, jobId: string, reason: string): Promise<void> {
  for (const run of await call.rows.plans.suspend(jobId, reason)) tellWithdrawn(call, run)
}

/** What the audit log keeps of a job. */
function auditedJob({ name, description, status }: Job): Readonly<Record<string, unknown>> {
  return { name, description, status }
}

function nameTaken(name: string): Refusal {
  const message = `Another job that is not archived has the name ${JSON.stringify(name)}.`
  return new Refusal('name_taken', message, [{ field: 'name', code: 'name_taken', message }])
}

/** Writes a changed job under its next version, and says so. */
async function storeJob(
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
