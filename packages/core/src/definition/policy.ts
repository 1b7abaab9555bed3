import { boundedDuration, choice, readFields } from './fields.js'
import { invalid } from './flaw.js'
import { limits } from './limits.js'

/** What happens when a period comes up while an earlier execution is still active. */
export type Concurrency = 'allow' | 'forbid' | 'replace'

/** What happens to the period that is current when a host first sees a job, or its new timing. */
export type FirstPeriod = 'wait' | 'run'

export interface PolicySpec {
  readonly concurrency: Concurrency
  /** Milliseconds of lateness after the chosen time that are still on time. */
  readonly deadline: number
  readonly suspend: boolean
  readonly first: FirstPeriod
}

export interface PolicyInput {
  readonly concurrency?: Concurrency | undefined
  readonly deadline?: string | number | undefined
  readonly suspend?: boolean | undefined
  readonly first?: FirstPeriod | undefined
}

/** One for the many jobs that say nothing about it. */
const defaultPolicy: PolicySpec = Object.freeze({
  concurrency: 'forbid',
  deadline: 0,
  suspend: false,
  first: 'wait',
})

/** Policies that were checked already; verdicts ask for the same one again and again. */
const resolved = new WeakSet<object>([defaultPolicy])

export function resolvePolicy(input: unknown, field = 'policy'): PolicySpec {
  if (typeof input === 'object' && input !== null && resolved.has(input)) return input as PolicySpec
  const fields = readFields(input, field, ['concurrency', 'deadline', 'suspend', 'first'])
  const concurrency = choice<Concurrency>(
    fields.get('concurrency'),
    `${field}.concurrency`,
    ['forbid', 'allow', 'replace'],
    'KRON_POLICY_INVALID',
  )
  const deadline = boundedDuration(fields.get('deadline'), `${field}.deadline`, limits.deadlineMs)
  const suspend = suspendOf(fields.get('suspend'), `${field}.suspend`)
  const first = choice<FirstPeriod>(
    fields.get('first'),
    `${field}.first`,
    ['wait', 'run'],
    'KRON_POLICY_INVALID',
  )
  if (concurrency === 'forbid' && deadline === 0 && !suspend && first === 'wait') {
    return defaultPolicy
  }
  const policy = Object.freeze({ concurrency, deadline, suspend, first })
  resolved.add(policy)
  return policy
}

function suspendOf(value: unknown, field: string): boolean {
  if (value === undefined) return false
  if (typeof value === 'boolean') return value
  throw invalid('KRON_POLICY_INVALID', field, value, 'true or false')
}
