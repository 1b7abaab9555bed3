import { formatInstant, type Job } from '@kron/core'
import { formatLocalShort } from '@kron/preview'

export interface NextRun {
  readonly nominal: number
  readonly chosen: number
}

/** Beyond this many periods without a time to run, none is looked for. */
const mostPeriods = 1000

/** The first run from now on; null when there is none. */
export function nextRun(job: Job, now: number): NextRun | null {
  if (job.policy.suspend) return null
  // The window of a period that began already may still be open.
  let nominal = job.currentPeriod(now) ?? job.nextPeriod(now - 1)
  for (let tried = 0; nominal !== null && tried < mostPeriods; tried++) {
    const { chosenTime } = job.decide(nominal)
    if (chosenTime !== null && chosenTime >= now) return { nominal, chosen: chosenTime }
    nominal = job.nextPeriod(nominal)
  }
  return null
}

/** `2026-03-01T03:50:51Z, Sun 03-01 04:50:51 +01:00`. */
export function nextRunText(job: Job, run: NextRun | null): string {
  if (run === null) return job.policy.suspend ? 'none, it is suspended' : 'none'
  const utc = formatInstant(run.chosen)
  return job.spec.timezone === 'UTC' ? utc : `${utc}, ${formatLocalShort(run.chosen, job.zone)}`
}

export function nextRunJson(run: NextRun | null): object | null {
  if (run === null) return null
  return { nominal: formatInstant(run.nominal), chosen: formatInstant(run.chosen) }
}
