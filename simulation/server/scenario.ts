import {
  defaultDefinition,
  type EndpointDefinition,
} from '../../packages/server/src/domain/index.js'
import { Random } from '../random.js'

/** One way in which a world's network answers. */
export interface Weather {
  /** Longest time that a target takes, ms. */
  readonly slowestMs: number
  readonly failing: number
}

/** What goes wrong in a world, as parts of one. */
export interface Trouble {
  /** Calls of the store that fail without an effect. */
  readonly refused: number
  /** Calls of the store that take effect and then report a time-out. */
  readonly lostAnswers: number
  /** Longest time that a call of the store takes, ms. */
  readonly slowestCallMs: number
  /** Kills of workers in a minute. */
  readonly killsPerMinute: number
  /** Calls of the API (pause, hint, run now, cancel, edit) in a minute. */
  readonly callsPerMinute: number
}

export interface Scenario {
  readonly seed: number
  readonly minutes: number
  readonly workers: number
  readonly endpoints: readonly EndpointDefinition[]
  readonly weather: Weather
  readonly trouble: Trouble
}

const plain: EndpointDefinition = {
  ...defaultDefinition,
  name: '',
  url: 'http://target.example/',
  method: 'POST',
  timeoutMs: 5_000,
  maxExecutionTimeMs: 10_000,
  maxResponseSizeKb: 1,
  keepResponses: false,
}

/** Everything about a world follows from its seed. */
export function scenario(seed: number): Scenario {
  const random = new Random(seed)
  const planners = new Random(seed ^ 0xada)
  const calm = random.chance(0.2)
  return {
    seed,
    minutes: random.between(2, 6),
    workers: random.between(1, 4),
    endpoints: Array.from({ length: random.between(1, 12) }, (_, n) =>
      adapted(definition(random, n), planners),
    ),
    weather: {
      slowestMs: random.pick([5, 200, 3_000, 12_000]),
      failing: random.pick([0, 0.2, 0.9]),
    },
    trouble: {
      refused: calm ? 0 : random.pick([0, 0.05, 0.3]),
      lostAnswers: calm ? 0 : random.pick([0, 0.1, 0.3]),
      slowestCallMs: random.pick([1, 50, 2_000]),
      killsPerMinute: calm ? 0 : random.pick([0, 1, 6]),
      callsPerMinute: random.pick([0, 0, 5, 30]),
    },
  }
}

/** How far planners may go is drawn apart from the rest of the world. */
function adapted(definition: EndpointDefinition, random: Random): EndpointDefinition {
  return {
    ...definition,
    planner: random.pick(['off', 'suggest', 'on', 'on'] as const),
    adaptive: { ...definition.adaptive, budget: random.pick([0.5, 1, 1, 2]) },
  }
}

function definition(random: Random, n: number): EndpointDefinition {
  const isCron = random.chance(0.5)
  const leaseMs = random.pick([2_000, 6_000, 20_000])
  return {
    ...plain,
    name: `endpoint ${n}`,
    baseline: {
      ...plain.baseline,
      cron: isCron
        ? random.pick([
            '* * * * *',
            '*/5 * * * * *',
            '* * * * * @win(after,30s)',
            // Worlds begin at noon.
            '*/5 * * * * * @avoid(between=12:01-12:01)',
            '* * * * * @only(between=12:00-12:00;between=12:02-12:59)',
            '*/5 * * * * * @policy(concurrency=allow)',
            '* * * * * @win(after,30s) @policy(deadline=5s)',
          ])
        : null,
      intervalMs: isCron ? null : random.pick([1_000, 7_000, 45_000]),
    },
    minIntervalMs: random.pick([null, null, 500]),
    maxIntervalMs: random.pick([null, null, 90_000]),
    timeoutMs: Math.min(leaseMs, random.pick([500, 2_000, 10_000])),
    maxExecutionTimeMs: leaseMs,
    concurrency: random.pick(['forbid', 'forbid', 'allow', 'replace'] as const),
    deadlineMs: random.pick([null, null, 0, 5_000]),
    retry: random.pick([
      null,
      null,
      { attempts: 3, backoffMs: 200, maxDelayMs: 1_000, jitter: 0.5 },
    ]),
    onWorkerLoss: random.pick(['cancel', 'cancel', 'redeliver'] as const),
  }
}
