import { formatInstant, formatSchedule } from '@kron/core'
import type { DaemonView, JobView } from '../daemon/daemon-view.js'
import { runFrom } from '../daemon/next-period.js'
import type { HandledPeriod } from '../state/index.js'

/** A job as it is shown: when it runs and ran, never what it runs or with which environment. */
export function jobDocument(view: JobView): object {
  const { hostJob, phase, planned, responsibleSince, last, running } = view
  const { identity, name, job } = hostJob
  const run = planned === null ? null : runFrom(job, planned)
  return {
    identity,
    name,
    schedule: formatSchedule(job.spec),
    timezone: job.spec.timezone,
    phase,
    responsible_since: instantOrNull(responsibleSince),
    next:
      run === null
        ? null
        : {
            period_id: formatInstant(run.nominalTime),
            nominal_time: formatInstant(run.nominalTime),
            chosen_time: formatInstant(run.chosenTime),
          },
    last: last === null ? null : periodDocument(last),
    running: running.map(({ nominal, chosen, startedAt, process }) => ({
      period_id: formatInstant(nominal),
      chosen_time: formatInstant(chosen),
      started_at: formatInstant(startedAt),
      pid: process.pid,
    })),
  }
}

/** The same with its history, newest first. */
export function wholeJobDocument(view: JobView): object {
  const history = view.history.map((entry) => ({
    ...periodDocument(entry),
    completed_at: formatInstant(entry.completedAt),
    exit_code: entry.exitCode,
  }))
  return { ...jobDocument(view), history: history.reverse() }
}

const periodDocument = ({ nominal, outcome, chosen }: HandledPeriod): object => ({
  period_id: formatInstant(nominal),
  outcome,
  chosen_time: instantOrNull(chosen),
})

const instantOrNull = (instant: number | null): string | null =>
  instant === null ? null : formatInstant(instant)

export interface JobPageRequest {
  readonly limit: number
  /** Identity of the last job of the page before. */
  readonly after: string | null
  readonly name: string | null
}

export interface JobPage {
  /** In the order of their identities. */
  readonly jobs: readonly JobView[]
  /** What to give as `after` for the next page; null on the last. */
  readonly next: string | null
}

/**
 * The first jobs behind `after`. One pass that keeps only the page: to sort a hundred thousand jobs
 * for a page of them would hold up the scheduler.
 */
export function jobPage(view: DaemonView, { limit, after, name }: JobPageRequest): JobPage {
  const page: JobView[] = []
  for (const job of view.jobs()) {
    const { identity } = job.hostJob
    if (after !== null && identity <= after) continue
    if (name !== null && job.hostJob.name !== name) continue
    if (page.length > limit && identity >= page[limit]!.hostJob.identity) continue
    page.splice(placeOf(page, identity), 0, job)
    if (page.length > limit + 1) page.pop()
  }
  const jobs = page.slice(0, limit)
  const next = page.length > limit ? jobs.at(-1)!.hostJob.identity : null
  return { jobs, next }
}

/** Where an identity belongs among those that are there, by bisection. */
function placeOf(page: readonly JobView[], identity: string): number {
  let low = 0
  let high = page.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (page[middle]!.hostJob.identity < identity) low = middle + 1
    else high = middle
  }
  return low
}
