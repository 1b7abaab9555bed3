import {
  compileJob,
  type Job,
  limits,
  type PolicySpec,
  parseSchedule,
  resolvePolicy,
} from '@kron/core'
import type { Endpoint } from '../domain/index.js'

/** An endpoint with everything that does not depend on the period done once. */
export interface CompiledEndpoint {
  readonly endpoint: Endpoint
  /** The baseline's schedule; null for an interval. */
  readonly job: Job | null
  readonly policy: PolicySpec
}

/** Throws what the core says about a schedule that can't be followed. */
export function compileEndpoint(endpoint: Endpoint): CompiledEndpoint {
  const { baseline, concurrency, deadlineMs } = endpoint.definition
  return {
    endpoint,
    job: baseline.cron === null ? null : compileSchedule(endpoint.id, baseline),
    // An HTTP job that is late is usually wanted.
    policy: resolvePolicy({ concurrency, deadline: deadlineMs ?? limits.deadlineMs }),
  }
}

function compileSchedule(identity: string, baseline: Endpoint['definition']['baseline']): Job {
  // With an optional field for seconds, and what people know from Quartz.
  const options = { dialect: 'extended', timezone: baseline.timezone ?? undefined } as const
  const spec = parseSchedule(baseline.cron!, options)
  return compileJob({ ...spec, identity })
}
