import { type Responsibility, responsibilityFor } from '@kron/core'
import { instantOf } from '../job/index.js'
import type { KronJob, KronJobStatus } from '../kronjob/index.js'
import type { HandledPeriod } from './handled-period.js'

/**
 * Since when the controller answers for a KronJob with its present timing.
 *
 *   new ──▶ the end of the second in which it was created
 *   timing edited ──▶ when a controller first saw the new one
 *   status of an older version ──▶ its last handled period, or now
 *
 * It is kept in the status, and remembered while a term lasts:
 *
 * - We die between seeing an edit and writing the status: the next leader sees the edit as we did,
 *   and counts from then. It starts nothing that had passed; what was due in between is not its own.
 * - A Job of the new timing was created before that: it is there, and its period is handled.
 * - The status is erased: we remember. A new leader does not; a specification that was never edited
 *   counts from its creation as before, any other one from now on.
 * - Two lead: what stands in the status holds for both, and a status is written for the version that
 *   it was made from, so they agree with the first that was written.
 */
export interface ResponsibilityInput {
  readonly kronJob: KronJob
  /** The timing of the job; `noTiming` where the specification is invalid. */
  readonly timing: string
  readonly remembered: Responsibility | null
  readonly lastHandled: HandledPeriod | null
  /** When this specification was first seen. */
  readonly seenAt: number
}

/** An invalid specification has none: with its correction the KronJob gets a new one. */
export const noTiming = ''

export function responsibilityOf(input: ResponsibilityInput): Responsibility {
  const { kronJob, timing, remembered } = input
  const kept = keptResponsibility(kronJob.status)
  const known = kept?.timing === timing ? kept : (remembered ?? kept)
  const seenAt = secondAfter(input.seenAt)
  if (known !== null) return responsibilityFor(timing, known, null, seenAt, seenAt)
  const { handledThrough, firstSeen } = beginning(input, seenAt)
  return responsibilityFor(timing, null, handledThrough, firstSeen, seenAt)
}

export function keptResponsibility(status: KronJobStatus | undefined): Responsibility | null {
  const since = instantOf(status?.responsibleSince)
  const { timing } = status ?? {}
  return since === null || typeof timing !== 'string' ? null : { timing, since }
}

/** Where nobody has kept anything. */
function beginning({ kronJob, lastHandled }: ResponsibilityInput, seenAt: number) {
  const { metadata, status } = kronJob
  const { generation = 1, creationTimestamp } = metadata
  const { observedGeneration, lastPeriodID } = status ?? {}
  if (observedGeneration === undefined && lastPeriodID === undefined) {
    const createdAt = instantOf(creationTimestamp)
    const isAsCreated = generation <= 1 && createdAt !== null
    return { handledThrough: null, firstSeen: isAsCreated ? createdAt + 1000 : seenAt }
  }
  // Of an older version, which may not have seen the last edit.
  const isEdited = observedGeneration !== undefined && observedGeneration !== generation
  if (isEdited || lastHandled === null) return { handledThrough: null, firstSeen: seenAt }
  // One in the future is handled, but what comes once it is forgotten is ours.
  return { handledThrough: Math.min(lastHandled.nominalTime, seenAt), firstSeen: seenAt }
}

/** Times are chosen to the second and kept to the second: the one that has begun is over. */
const secondAfter = (at: number): number => Math.ceil(at / 1000) * 1000
