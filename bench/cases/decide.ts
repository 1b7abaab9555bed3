import * as core from '@kron/core'
import { type Effort, measure } from '../measure.ts'
import { ownCopy } from '../own-copy.ts'

export interface DecideTiming {
  readonly label: string
  readonly zone: string
  readonly bestNs: number
  readonly medianNs: number
}

export interface DecideResults {
  readonly timings: readonly DecideTiming[]
  /** Why there are none, when there are none. */
  readonly missing?: string
}

/** The two timings that have a bar. */
export const uniformLabel = 'uniform'

type Definition = core.JobDefinition & { readonly timezone: string }

const base: Definition = {
  identity: 'reports/nightly',
  schedule: '0 2 * * *',
  timezone: 'UTC',
  window: { mode: 'after', duration: '3h' },
  distribution: { name: 'uniform' },
  seed: { strategy: 'stable', salt: 'bench' },
  policy: { concurrency: 'forbid', deadline: '30m', suspend: false },
}

const newYork = { ...base, timezone: 'America/New_York' }

const definitions: readonly (readonly [label: string, definition: Definition])[] = [
  [uniformLabel, base],
  [uniformLabel, newYork],
  ['skewEarly', { ...newYork, distribution: { name: 'skewEarly', params: { shape: 2.5 } } }],
  ['skewLate', { ...newYork, distribution: { name: 'skewLate', params: { shape: 2.5 } } }],
  ['normal', { ...newYork, distribution: { name: 'normal' } }],
  ['exponential', { ...newYork, distribution: { name: 'exponential', params: { lambda: 3 } } }],
  ['uniform, seed by day', { ...newYork, seed: { strategy: 'daily', salt: 'bench' } }],
  [
    'uniform, around 3h',
    { ...newYork, schedule: '0 12 * * *', window: { mode: 'around', duration: '3h' } },
  ],
  ['uniform, only hours=2-3', { ...newYork, constraints: { only: ['hours=2-3'] } }],
  [
    'uniform, only and avoid',
    {
      ...newYork,
      constraints: { only: ['between=02:00-04:29'], avoid: ['dow=SAT', 'date=2026-12-25'] },
    },
  ],
  [
    'uniform, sample=exact, only hours=2-3',
    {
      ...newYork,
      distribution: { name: 'uniform', params: { sample: 'exact' } },
      constraints: { only: ['hours=2-3'] },
    },
  ],
]

const nominalCount = 1024

const decideLoop = (job: core.Job, nominals: Float64Array, iterations: number): number => {
  let sum = 0
  for (let i = 0; i < iterations; i++) sum += job.decide(nominals[i & 1023]!).chosenTime ?? 0
  return sum
}

export function runDecide(effort: Effort): DecideResults {
  const { compileJob } = core
  if (typeof compileJob !== 'function') {
    return { timings: [], missing: 'the build of @kron/core is too old to have compileJob' }
  }
  const contenders = definitions.map(([name, definition]) => {
    const job = compileJob(definition)
    const nominals = nominalsOf(definition)
    const loop = ownCopy(decideLoop)
    return { name, run: (count: number) => loop(job, nominals, count) }
  })
  const timings = measure(contenders, effort).map(({ name, bestNs, medianNs }, index) => ({
    label: name,
    zone: definitions[index]![1].timezone,
    bestNs,
    medianNs,
  }))
  return { timings }
}

function nominalsOf({ schedule, timezone }: Definition): Float64Array {
  const cron = core.parseCron(schedule)
  const zone = core.zone(timezone)
  let at = Date.UTC(2026, 0, 1)
  return Float64Array.from({ length: nominalCount }, () => (at = cron.next(at, zone)!))
}
