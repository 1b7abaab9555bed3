import { compileJob, parseSchedule } from '@kron/core'

const midnight = Date.UTC(2026, 2, 1)
const minuteMs = 60_000

/** The jobs of one night that all have the same schedule, by the minute after midnight they start in. */
export interface Night {
  readonly schedule: string
  readonly startsInMinute: readonly number[]
  /** The most that start in one minute, and the first minute with as many. */
  readonly peak: { readonly starts: number; readonly minute: number }
}

/** What Kron decides for jobs `night/1` to `night/<count>`. */
export function nightOf(schedule: string, count: number, minutes: number): Night {
  const startsInMinute = new Array<number>(minutes).fill(0)
  for (let number = 1; number <= count; number++) {
    const job = compileJob({ identity: `night/${number}`, ...parseSchedule(schedule) })
    const minute = Math.floor((job.decide(midnight).chosenTime! - midnight) / minuteMs)
    startsInMinute[minute]!++
  }
  const starts = Math.max(...startsInMinute)
  return { schedule, startsInMinute, peak: { starts, minute: startsInMinute.indexOf(starts) } }
}
