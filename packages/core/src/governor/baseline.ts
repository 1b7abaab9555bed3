import { formatInstant } from '../calendar/instant.js'
import { compileJob, Job } from '../decision/index.js'
import { SeedHash } from '../decision/seed-hash.js'
import { SplitMix64 } from '../decision/split-mix.js'
import { ConfigurationError } from '../errors/index.js'
import { nextChosenPeriod } from '../policy/index.js'
import { parseSchedule } from '../schedule/index.js'
import type { EndpointPlan } from './endpoint-plan.js'

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
