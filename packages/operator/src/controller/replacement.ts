import { type Decision, formatInstant } from '@kron/core'
import type { KronEvent } from '../event/index.js'
import type { OwnedJob } from '../job/index.js'
import type { KronJobRecord } from './kron-job-record.js'
import type { Requests, StillDue } from './requests.js'
import { NoLongerDue } from './world.js'

/**
 * Ends what is active so that the period may start. Foreground: a Job is gone when its Pods are, so
 * that the two never run beside each other. Those on their way out are left alone.
 */
export async function replaceActive(
  requests: Pick<Requests, 'replaceJob'>,
  record: KronJobRecord,
  isStillDue: StillDue,
  now: () => number,
): Promise<void> {
  const doomed = record.activeJobs.filter(({ deletingSince }) => deletingSince === null)
  // Noted before: the answer may get lost, and what we did is told all the same.
  for (const job of doomed) record.doomed.set(job.uid, job)
  await Promise.all(
    doomed.map(async (job) => {
      const { namespace, name, uid } = job
      try {
        await requests.replaceJob({ namespace, name }, uid, isStillDue)
      } catch (error) {
        if (error instanceof NoLongerDue) record.doomed.delete(uid)
        throw error
      }
      markDeleting(record, job, now())
    }),
  )
}

/** Until the watch tells the same. */
function markDeleting(record: KronJobRecord, job: OwnedJob, deletingSince: number): void {
  if (record.jobs.get(job.name) === job) record.jobs.set(job.name, { ...job, deletingSince })
}

/** Which of the doomed are gone or going, each once. */
export function takeReplaced(record: KronJobRecord): OwnedJob[] {
  const replaced = [...record.doomed.values()].filter(({ name, uid }) => {
    const now = record.jobs.get(name)
    return now?.uid !== uid || now.deletingSince !== null
  })
  for (const { uid } of replaced) record.doomed.delete(uid)
  return replaced
}

export function replacedEvent({ name, uid }: OwnedJob, { nominalTime }: Decision): KronEvent {
  const period = formatInstant(nominalTime)
  return {
    reason: 'Replaced',
    type: 'Normal',
    message: `deleted Job ${name}, which was active, for period ${period}`,
    subject: `${uid} ${period}`,
  }
}
