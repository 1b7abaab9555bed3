import { type Decision, formatInstant } from '@kron/core'
import type { KronEvent } from '../event/index.js'
import type { OwnedJob } from '../job/index.js'
import type { KronJobRecord } from '../record/kron-job-record.js'
import { replacementWaiting, type Trouble } from '../record/trouble.js'
import { NoLongerDue, type Requests, type StillDue } from '../requests/requests.js'

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
  // Noted before the request: its answer may get lost, and the deletion is reported all the same.
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

/** Until the watch reports the same. */
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
    message: `deleted active Job ${name} to start period ${period}`,
    subject: `${uid} ${period}`,
  }
}

/** Most Pods are gone by then; a Job that is not is worth a report. */
const patienceMs = 10_000
const loggedAgainMs = 60_000

/** A replacement that waits for a Job to be gone, as it is now. */
export interface ReplacementWait {
  readonly job: OwnedJob
  /** Null while the wait is as short as most are. */
  readonly trouble: Trouble | null
  readonly isToBeLogged: boolean
  /** When there is something to say, or to say again. */
  readonly nextWordAt: number
}

/**
 * Deletion in the foreground ends with the last Pod, and nobody knows when that is: a container
 * that ignores signals, a node that is gone, a finalizer. `since` is when the wait began and `loggedAt`
 * when it was last logged, both by our own clock.
 */
export function replacementWait(
  job: OwnedJob,
  since: number,
  loggedAt: number | null,
  now: number,
): ReplacementWait {
  if (now < since + patienceMs) {
    return { job, trouble: null, isToBeLogged: false, nextWordAt: since + patienceMs }
  }
  const isToBeLogged = loggedAt === null || now >= loggedAt + loggedAgainMs
  const nextWordAt = (isToBeLogged ? now : loggedAt) + loggedAgainMs
  return { job, trouble: waitTrouble(job), isToBeLogged, nextWordAt }
}

/** The same for as long as it waits, so that the status is written once. */
function waitTrouble(job: OwnedJob): Trouble {
  const message =
    `${waitText(job)}, and no Job is created until it is; ` +
    `kubectl get pods -l job-name=${job.name} -n ${job.namespace} shows what it waits for`
  return { condition: 'SchedulingError', reason: replacementWaiting, message }
}

/** Also the reason of a period that is missed because of it. */
export function waitText({ name, deletingSince }: OwnedJob): string {
  return `Job ${name} was deleted at ${formatInstant(deletingSince ?? 0)} and is not gone yet`
}

/** What was waited for is gone, though perhaps too late for its period. */
export function endWait(record: KronJobRecord): void {
  if (record.trouble?.reason !== replacementWaiting) return
  const isWaiting = record.activeJobs.some(({ deletingSince }) => deletingSince !== null)
  if (!isWaiting) record.trouble = null
}
