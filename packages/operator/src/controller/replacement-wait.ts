import { formatInstant } from '@kron/core'
import type { OwnedJob } from '../job/index.js'
import type { KronJobRecord } from './kron-job-record.js'
import type { Trouble } from './trouble.js'

/** Most Pods are gone by then; a Job that is not is worth a word. */
const patienceMs = 10_000
const loggedAgainMs = 60_000

export const replacementWaiting = 'ReplacementWaiting'

/** A replacement that waits for a Job to be gone, as it is now. */
export interface ReplacementWait {
  readonly job: OwnedJob
  /** Null while it is within what is usual. */
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
    `${waitText(job)}, and no Job is started before; ` +
    `kubectl get pods -l job-name=${job.name} -n ${job.namespace} shows what it waits for`
  return { condition: 'SchedulingError', reason: replacementWaiting, message }
}

/** Also why the period is missed, if it is. */
export function waitText({ name, deletingSince }: OwnedJob): string {
  return `Job ${name} is being deleted since ${formatInstant(deletingSince ?? 0)} and not gone yet`
}

/** What was waited for is gone, though perhaps too late for its period. */
export function endWait(record: KronJobRecord): void {
  if (record.trouble?.reason !== replacementWaiting) return
  const isWaiting = record.activeJobs.some(({ deletingSince }) => deletingSince !== null)
  if (!isWaiting) record.trouble = null
}
