import { formatInstant } from '../calendar/instant.js'
import { compileJob, Job } from '../decision/index.js'
import { SeedHash } from '../decision/seed-hash.js'
import { SplitMix64 } from '../decision/split-mix.js'
import { ConfigurationError } from '../errors/index.js'
import { parseSchedule } from '../schedule/index.js'
import type { EndpointPlan } from './endpoint-plan.js'

/** Unschedulable periods in a row after which a baseline counts as never coming again. */
const mostPeriods = 1000

/** A period of a schedule, and when in it the run is. */
export interface ChosenPeriod {
  readonly nominalTime: number
  readonly chosenTime: number
}

/** The first period whose chosen time is after `now`, or null when there is none. */
export function nextChosenPeriod(job: Job, now: number): ChosenPeriod | null {
  let nominalTime = job.currentPeriod(now) ?? job.nextPeriod(now)
  for (let tried = 0; nominalTime !== null && tried < mostPeriods; tried++) {
    const { chosenTime } = job.decide(nominalTime)
    if (chosenTime !== null && chosenTime > now) return { nominalTime, chosenTime }
    nominalTime = job.nextPeriod(nominalTime)
  }
  return null
}

/** The chosen time of the first period that is still to come, or null. */
export function nextFromCron(plan: EndpointPlan, now: number): number | null {
  return nextChosenPeriod(jobOf(plan), now)?.chosenTime ?? null
}

/** The interval after the last run, later by a part of the jitter that the seed decides. */
export function nextFromInterval(plan: EndpointPlan, lastRunAt: number): number {
  return lastRunAt + plan.baselineIntervalMs! + jitterOf(plan, lastRunAt)
}

function jobOf({ baselineCron, timezone, identity }: EndpointPlan): Job {
  if (baselineCron instanceof Job) return baselineCron
  const spec = parseSchedule(baselineCron as string, { timezone: timezone ?? undefined })
  if (spec.window.duration > 0 && typeof identity !== 'string') throw identityNeeded('a window')
  return compileJob({ ...spec, identity: identity ?? 'baseline' })
}

function jitterOf(plan: EndpointPlan, lastRunAt: number): number {
  const { jitterMs, identity } = plan
  if (typeof jitterMs !== 'number' || jitterMs === 0) return 0
  if (typeof identity !== 'string' || identity === '') throw identityNeeded('jitter')
  const hash = new Int32Array(8)
  new SeedHash(identity, 'jitter').digest(formatInstant(lastRunAt), hash)
  const random = new SplitMix64()
  random.seed(hash[0]!, hash[1]!)
  return Math.floor(random.next() * (jitterMs + 1))
}

function identityNeeded(what: string): ConfigurationError {
  return new ConfigurationError('KRON_FIELD_MISSING', `identity is required: it seeds ${what}`, {
    field: 'identity',
    value: undefined,
    allowed: 'a non-empty identity',
  })
}
