import { formatInstant } from '@kron/core'
import type { KronEvent } from '../event/index.js'
import { instantOf, type OwnedJob } from '../job/index.js'
import type { KronJobStatus } from '../kronjob/index.js'

/**
 * What happened to Jobs since the status was written: created after its last period, ended while it
 * calls them active. Events are recorded before the status is written, so that a controller that
 * dies in between leaves the difference for the next one.
 */
export function jobEvents(
  status: KronJobStatus | undefined,
  jobs: Iterable<OwnedJob>,
): KronEvent[] {
  const lastPeriod = instantOf(status?.lastPeriodID) ?? Number.NEGATIVE_INFINITY
  const wasActive = new Set(status?.active?.map(({ uid }) => uid))
  const events: KronEvent[] = []
  for (const job of jobs) {
    const isNew = job.period !== null && job.period.nominalTime > lastPeriod
    if (isNew) events.push(created(job))
    if (job.state !== 'active' && (isNew || wasActive.has(job.uid))) events.push(ended(job))
  }
  return events
}

function created({ name, period }: OwnedJob): KronEvent {
  const periodId = formatInstant(period?.nominalTime ?? 0)
  return {
    reason: 'JobCreated',
    type: 'Normal',
    message: `created Job ${name} for period ${periodId}`,
    subject: periodId,
  }
}

function ended({ name, uid, state, period }: OwnedJob): KronEvent {
  const what = period === null ? 'Job' : `Job of period ${formatInstant(period.nominalTime)}`
  return state === 'succeeded'
    ? {
        reason: 'JobCompleted',
        type: 'Normal',
        message: `${what} completed: ${name}`,
        subject: uid,
      }
    : { reason: 'JobFailed', type: 'Warning', message: `${what} failed: ${name}`, subject: uid }
}
