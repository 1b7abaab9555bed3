import { KronError } from '@kron/core'
import { compileKronJob, type KronJobSpec } from '../../packages/operator/src/kronjob/index.js'
import type { Random } from '../random.js'

const schedules = ['*/2 * * * *', '*/3 * * * *', '*/5 * * * *', '1-59/4 * * * *', '*/10 * * * *']
const windows = ['0s', '0s', '30s', '1m', '2m', '5m']
const modes = ['after', 'around'] as const
const deadlines = ['0s', '0s', '5s', '30s', '90s', '4m', '12m']
const concurrencies = ['allow', 'forbid', 'replace'] as const
const avoided = [[], [], [], [], [], [], ['date=2026-03-01'], ['between=10:20-10:40']]
const limits = [0, 0, 1, 3]

const jobTemplate = {
  spec: {
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'main' }] } },
  },
}

/** A specification of any kind that is valid. */
export function someSpec(random: Random): KronJobSpec {
  for (;;) {
    const spec = drawnSpec(random)
    try {
      compileKronJob({ metadata: { name: 'any' }, spec })
      return spec
    } catch (error) {
      // The window was longer than the smallest gap, or the like: draw again.
      if (!(error instanceof KronError)) throw error
    }
  }
}

function drawnSpec(random: Random): KronJobSpec {
  return {
    schedule: random.pick(schedules),
    window: { mode: random.pick(modes), duration: random.pick(windows) },
    constraints: { only: [], avoid: random.pick(avoided) },
    policy: {
      concurrency: random.pick(concurrencies),
      deadline: random.pick(deadlines),
      suspend: random.chance(0.1),
      first: random.chance(0.1) ? 'run' : 'wait',
    },
    successfulJobsHistoryLimit: random.pick(limits),
    failedJobsHistoryLimit: random.pick(limits),
    jobTemplate,
  }
}

/** One field of it is another; now and then the whole is invalid. */
export function changedSpec(random: Random, spec: KronJobSpec): KronJobSpec {
  if (random.chance(0.1)) return { ...spec, timezone: 'Europe/Pariss' }
  const other = someSpec(random)
  const changes: readonly Partial<KronJobSpec>[] = [
    other,
    { policy: { ...other.policy, suspend: spec.policy?.suspend ?? false } },
    { successfulJobsHistoryLimit: random.pick(limits) },
    { constraints: other.constraints ?? {} },
  ]
  return { ...spec, timezone: 'UTC', ...random.pick(changes) }
}
