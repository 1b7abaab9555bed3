import { type Job, KronError } from '@kron/core'
import { compileKronJob, type KronJob } from '../../../packages/operator/src/kronjob/index.js'
import type { Version } from '../chronicle.js'
import type { Observation } from '../cluster-world.js'

/**
 * How long an operator may act on what was: a watch that stands still for a minute and the time to
 * read all again, a freeze, a request that takes effect late.
 */
export const staleMs = 5 * 60_000

export const textOf = (at: number): string => new Date(at).toISOString().slice(11, 19)

/** A specification, from when to when it stood. */
export interface Stretch {
  readonly uid: string
  readonly identity: string
  readonly createdAt: number
  readonly from: number
  readonly to: number
  readonly kronJob: KronJob
  /** Null where the specification is invalid. */
  readonly job: Job | null
  readonly isSuspended: boolean
  /** Since when it has had this timing, at the earliest that an operator could believe. */
  readonly timedSince: number
}

/** Of all KronJobs, in the order in which they began. */
export function stretchesOf({ chronicle, endedAt }: Observation): Stretch[] {
  const stretches: Stretch[] = []
  for (const versions of Map.groupBy(chronicle.versions, ({ uid }) => uid).values()) {
    const begins = versions.filter((version, index) => begins_(versions, version, index))
    const own: Stretch[] = []
    for (const [index, version] of begins.entries()) {
      if (version.isGone) continue
      const to = begins[index + 1]?.at ?? endedAt
      const stretch = stretchOf(version, versions[0]!.at, to)
      own.push({ ...stretch, timedSince: timedSince(stretch, own) })
    }
    stretches.push(...own)
  }
  return stretches
}

const begins_ = (versions: readonly Version[], version: Version, index: number): boolean =>
  version.isGone ||
  version.kronJob.metadata.generation !== versions[index - 1]?.kronJob.metadata.generation

function stretchOf(
  { uid, identity, kronJob, at }: Version,
  createdAt: number,
  to: number,
): Stretch {
  const isSuspended =
    kronJob.spec.policy?.suspend === true || kronJob.metadata.deletionTimestamp !== undefined
  const job = compiled(kronJob)
  return { uid, identity, createdAt, from: at, to, kronJob, job, isSuspended, timedSince: at }
}

/**
 * A timing that was there for a moment may have been seen by nobody, so what came before it counts.
 * What is new counts from the end of the second of its creation.
 */
function timedSince(stretch: Stretch, before: readonly Stretch[]): number {
  let first = stretch
  for (const earlier of before.toReversed()) {
    if (earlier.job?.timing !== stretch.job?.timing) continue
    if (first.from - earlier.to > staleMs) break
    first = earlier
  }
  const isAsCreated = first.from === stretch.createdAt
  return isAsCreated ? (Math.floor(first.from / 1000) + 1) * 1000 : first.from
}

function compiled(kronJob: KronJob): Job | null {
  try {
    return compileKronJob(kronJob)
  } catch (error) {
    if (error instanceof KronError) return null
    throw error
  }
}

/** What an operator could believe at a time: what stands, or stood a while ago. */
export const believable = (stretches: readonly Stretch[], uid: string, at: number): Stretch[] =>
  stretches.filter(
    (stretch) => stretch.uid === uid && stretch.from <= at && stretch.to >= at - staleMs,
  )
