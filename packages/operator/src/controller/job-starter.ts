import { type Decision, formatInstant } from '@kron/core'
import { jobName, ownedJob, scheduledJob } from '../job/index.js'
import { ApiFailure, hasStatus, type KubeObject } from '../kube/index.js'
import type { KronJobRecord } from '../record/kron-job-record.js'
import { creationTrouble, type Trouble } from '../record/trouble.js'
import { NoLongerDue, type Requests, type StillDue } from '../requests/requests.js'

export type StartResult =
  | { readonly kind: 'created' | 'existed'; readonly job: KubeObject }
  /** It waited for too long: nothing was sent, and the period is to be judged again. */
  | { readonly kind: 'overdue' }
  | {
      readonly kind: 'failed'
      readonly error: unknown
      readonly trouble: Trouble | null
      readonly isUncertain: boolean
    }

/**
 * Creates the Job of a period. Its name is the lock of the period:
 *
 * - We die before the request: there is no Job, and the next leader creates it.
 * - We die after it: the Job exists, and the next leader finds it in its first list.
 * - The answer gets lost: we do not know. Creating it again is safe, since it can exist only once.
 * - Somebody else creates it first: 409, and a look at its owner tells whether that settles it.
 */
export async function startJob(
  requests: Requests,
  record: KronJobRecord,
  decision: Decision,
  isStillDue: StillDue,
): Promise<StartResult> {
  const job = scheduledJob(record.kronJob, decision)
  try {
    return { kind: 'created', job: await requests.createJob(job, isStillDue) }
  } catch (error) {
    if (error instanceof NoLongerDue) return { kind: 'overdue' }
    if (hasStatus(error, 409)) return await existing(requests, record, job, decision, error)
    return failed(error)
  }
}

/** The Job of a period, if there is one and it is ours. */
export async function findJob(
  requests: Requests,
  record: KronJobRecord,
  { periodId }: Decision,
): Promise<KubeObject | null> {
  const { namespace = '', name } = record.kronJob.metadata
  try {
    const job = await requests.job({ namespace, name: jobName(name, periodId) })
    return ownedJob(job)?.ownerUid === record.uid ? job : null
  } catch (error) {
    if (hasStatus(error, 404)) return null
    throw error
  }
}

async function existing(
  requests: Requests,
  record: KronJobRecord,
  { metadata }: KubeObject,
  decision: Decision,
  conflict: unknown,
): Promise<StartResult> {
  const name = { namespace: metadata.namespace ?? '', name: metadata.name }
  try {
    const job = await requests.job(name)
    if (ownedJob(job)?.ownerUid === record.uid) return { kind: 'existed', job }
    return { kind: 'failed', error: conflict, trouble: taken(job, decision), isUncertain: false }
  } catch (error) {
    // Gone again, so it may have been ours and have run: only the status can say.
    return failed(hasStatus(error, 404) ? conflict : error)
  }
}

function taken({ metadata }: KubeObject, { nominalTime }: Decision): Trouble {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
  const whose = owner === undefined ? 'nobody' : `${owner.kind} ${owner.name} (${owner.uid})`
  const period = formatInstant(nominalTime)
  return {
    condition: 'SchedulingError',
    reason: 'NameTaken',
    message: `Job ${metadata.name} of period ${period} exists, but is controlled by ${whose}`,
  }
}

function failed(error: unknown): StartResult {
  const isUncertain = error instanceof ApiFailure && error.isAmbiguous
  return { kind: 'failed', error, trouble: creationTrouble(error), isUncertain }
}
