import { formatInstant, formatSchedule } from '@kron/core'
import type { JobView } from '../daemon/daemon-view.js'
import type { HandledPeriod } from '../state/index.js'

/** A job as it is shown: when it runs and ran, never what it runs or with which environment. */
export function jobDocument({ hostJob, phase, planned, last, running }: JobView): object {
  const { identity, name, job } = hostJob
  return {
    identity,
    name,
    schedule: formatSchedule(job.spec),
    timezone: job.spec.timezone,
    phase,
    next:
      planned === null
        ? null
        : {
            period_id: planned.periodId,
            nominal_time: formatInstant(planned.nominalTime),
            chosen_time: instantOrNull(planned.chosenTime),
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
