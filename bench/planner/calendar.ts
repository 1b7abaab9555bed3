import { compileJob, type Job, nextChosenPeriod, parseSchedule } from '@kron/core'
import type { World } from './world.ts'

/** The times of a cron baseline. */
export class Calendar {
  readonly job: Job

  constructor(job: Job) {
    this.job = job
  }

  from(instant: number): number | null {
    return nextChosenPeriod(this.job, instant - 1)?.chosenTime ?? null
  }

  has(instant: number): boolean {
    return this.from(instant) === instant
  }
}

export function calendarOf({ cron, timezone, name }: World): Calendar | null {
  if (cron === undefined) return null
  const schedule = parseSchedule(cron, { timezone })
  return new Calendar(compileJob({ ...schedule, identity: name }))
}
