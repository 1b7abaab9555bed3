import { type Decision, formatInstant } from '@kron/core'
import type { OwnedJob } from '../job/index.js'
import type { EventLog } from './event-log.js'
import type { KronJobRecord } from './kron-job-record.js'
import type { Requests } from './requests.js'

/**
 * Ends what is active so that the period may start. Foreground: a Job is gone when its Pods are, so
 * that the two never run beside each other. Those on their way out are left alone.
 */
export async function replaceActive(
  requests: Requests,
  events: EventLog,
  record: KronJobRecord,
  decision: Decision,
): Promise<void> {
  const doomed = record.activeJobs.filter(({ isDeleting }) => !isDeleting)
  const period = formatInstant(decision.nominalTime)
  await Promise.all(
    doomed.map(async (job) => {
      const { namespace, name, uid } = job
      if (!(await requests.replaceJob({ namespace, name }, uid))) return
      markDeleting(record, job)
      events.replaced(record, decision.nominalTime, name)
      record.news.push({
        reason: 'Replaced',
        type: 'Normal',
        message: `deleted Job ${name}, which was active, for period ${period}`,
        subject: `${uid} ${period}`,
      })
    }),
  )
}

/** Until the watch tells the same. */
function markDeleting(record: KronJobRecord, job: OwnedJob): void {
  if (record.jobs.get(job.name) === job) record.jobs.set(job.name, { ...job, isDeleting: true })
}
