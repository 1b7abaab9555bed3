import { type ChosenPeriod, formatInstant, type Job, nextChosenPeriod } from '@kron/core'
import { formatLocalShort } from '@kron/preview'

/** The first run from now on, this very moment included; null when there is none. */
export function nextRun(job: Job, now: number): ChosenPeriod | null {
  return job.policy.suspend ? null : nextChosenPeriod(job, now - 1)
}

/** `2026-03-01T03:50:51Z, Sun 03-01 04:50:51 +01:00`. */
export function nextRunText(job: Job, run: ChosenPeriod | null): string {
  if (run === null) return job.policy.suspend ? 'none, it is suspended' : 'none'
  const { chosenTime } = run
  const utc = formatInstant(chosenTime)
  return job.spec.timezone === 'UTC' ? utc : `${utc}, ${formatLocalShort(chosenTime, job.zone)}`
}

export function nextRunJson(run: ChosenPeriod | null): object | null {
  if (run === null) return null
  return { nominal: formatInstant(run.nominalTime), chosen: formatInstant(run.chosenTime) }
}
