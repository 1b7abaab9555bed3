import { formatInstant, formatSchedule } from '@kron/core'
import type { JobView } from '../daemon/daemon-view.js'
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
