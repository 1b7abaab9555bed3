import {
  type Decision,
  formatDuration,
  type Job,
  nextChosenPeriod,
  type Sample,
  tzdataVersion,
} from '@kron/core'
import { instantText } from '../domain/index.js'

interface Draw {
  readonly u: number
  readonly x: number | null
  readonly candidate: string | null
  /** The clause that turned it down, or null. */
  readonly rejectedBy: string | null
}

/** How the next period of a schedule came to its time, with all that reproduces the choice. */
export interface DecisionAccount {
  readonly schedule: string
  readonly timezone: string
  /** Version of the time zone database. */
  readonly tzdata: string
  readonly periodId: string
  readonly nominalTime: string
  readonly window: {
    readonly mode: string
    readonly duration: string
    readonly start: string
    readonly end: string
  } | null
  readonly chosenTime: string | null
  readonly distribution: Decision['distribution']
  readonly seed: { readonly strategy: string; readonly key: string; readonly hash: string }
  readonly constraints: Decision['constraintsApplied']
  readonly draws: readonly Draw[]
}

/** Of the first period whose chosen time is after `now`; null when none ever comes. */
export function decisionAccount(job: Job, now: number): DecisionAccount | null {
  const period = nextChosenPeriod(job, now)
  if (period === null) return null
  const { decision, samples } = job.explain(period.nominalTime)
  const { mode, duration } = job.spec.window
  return {
    schedule: job.spec.schedule,
    timezone: decision.timezone,
    tzdata: tzdataVersion,
    periodId: decision.periodId,
    nominalTime: instantText(decision.nominalTime),
    window:
      duration === 0
        ? null
        : {
            mode,
            duration: formatDuration(duration),
            start: instantText(decision.windowStart),
            end: instantText(decision.windowEnd),
          },
    chosenTime: decision.chosenTime === null ? null : instantText(decision.chosenTime),
    distribution: decision.distribution,
    seed: {
      strategy: decision.seed.strategy,
      key: decision.periodKey,
      hash: decision.seedHash,
    },
    constraints: decision.constraintsApplied,
    draws: samples.map(drawOf),
  }
}

function drawOf({ u, x, candidate, rejectedBy }: Sample): Draw {
  return { u, x, candidate: candidate === null ? null : instantText(candidate), rejectedBy }
}
