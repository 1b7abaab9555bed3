import { isDeepStrictEqual } from 'node:util'
import { type Decision, formatInstant, KronError } from '@kron/core'
import { instantOf, type OwnedJob } from '../job/index.js'
import type { JobReference, KronJobStatus } from '../kronjob/index.js'
import type { KronJobRecord } from '../record/kron-job-record.js'
import { conditionsOf } from './conditions.js'

/** The status names at most so many active Jobs, out of thousands. */
const maxActive = 100

/** What the status of a KronJob should say. Nothing in it changes unless the facts do. */
export function statusOf(record: KronJobRecord, now: number): KronJobStatus {
  const { kronJob, compiled, trouble, template, lastHandled, responsibility } = record
  const before = kronJob.status
  const generation = kronJob.metadata.generation ?? 0
  const flaw = compiled instanceof KronError ? compiled : null
  const active = record.activeJobs
  const next = nextRun(record)
  return {
    observedGeneration: generation,
    ...(template.isKnown && { checkedGeneration: generation }),
    responsibleSince: formatInstant(responsibility.since),
    timing: responsibility.timing,
    ...lastOf(lastHandled),
    ...nextOf(next),
    active: active.slice(0, maxActive).map(referenceTo),
    activeCount: active.length,
    ...endOf(record, 'succeeded', 'lastSuccessfulTime'),
    ...endOf(record, 'failed', 'lastFailureTime'),
    conditions: conditionsOf({
      before,
      generation,
      now,
      flaw,
      trouble,
      templateFlaw: template.flaw,
      templateWarning: template.warning,
      isSuspended: kronJob.spec.policy?.suspend === true,
      isFinished: next === null,
      lastHandled,
    }),
  }
}

function lastOf(last: KronJobRecord['lastHandled']): Partial<KronJobStatus> {
  if (last === null) return {}
  const { nominalTime, chosenTime, outcome, reason } = last
  return {
    lastPeriodID: formatInstant(nominalTime),
    lastNominalTime: formatInstant(nominalTime),
    ...(chosenTime !== null && { lastChosenTime: formatInstant(chosenTime) }),
    lastOutcome: outcome,
    ...(reason !== undefined && { lastReason: reason }),
  }
}

function nextOf(next: Decision | null): Partial<KronJobStatus> {
  if (next === null) return {}
  const { periodId, nominalTime, chosenTime } = next
  return {
    nextPeriodID: periodId,
    nextNominalTime: formatInstant(nominalTime),
    ...(chosenTime !== null && { nextChosenTime: formatInstant(chosenTime) }),
  }
}

/** The planned period, or the first one after it that can be scheduled: when it runs next. */
function nextRun({ compiled, planned }: KronJobRecord): Decision | null {
  if (planned === null || compiled instanceof KronError) return null
  if (planned.chosenTime !== null) return planned
  const nominal = compiled.nextSchedulable(planned.nominalTime)
  return nominal === null ? null : compiled.decide(nominal)
}

function referenceTo({ namespace, name, uid }: OwnedJob): JobReference {
  return { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid }
}

/** The latest end of that kind, which outlives its Job. */
function endOf(
  { jobs, kronJob }: KronJobRecord,
  state: OwnedJob['state'],
  field: 'lastSuccessfulTime' | 'lastFailureTime',
): Partial<KronJobStatus> {
  let latest = instantOf(kronJob.status?.[field])
  for (const job of jobs.values()) {
    if (job.state !== state || job.finishedAt === null) continue
    latest = Math.max(latest ?? job.finishedAt, job.finishedAt)
  }
  return latest === null ? {} : { [field]: formatInstant(latest) }
}

/** A merge patch that turns one status into the other; null when they are equal. */
export function statusPatch(
  before: KronJobStatus | undefined,
  after: KronJobStatus,
): Record<string, unknown> | null {
  const old: Record<string, unknown> = { ...before }
  const changed = Object.entries(after).filter(([field, value]) => !isSame(old[field], value))
  const gone = Object.keys(old).filter((field) => !(field in after))
  if (changed.length === 0 && gone.length === 0) return null
  return { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((key) => [key, null])) }
}

const isSame = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b)
