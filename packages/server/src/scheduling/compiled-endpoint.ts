import {
  compileJob,
  evaluate,
  type Job,
  KronError,
  type PolicySpec,
  parseSchedule,
} from '@kron/core'
import type { Endpoint, EndpointDefinition } from '../domain/index.js'
import { endpointPolicy, mayHavePolicy } from './endpoint-policy.js'

/** An endpoint with everything that does not depend on the period done once. */
export interface CompiledEndpoint {
  readonly endpoint: Endpoint
  /** The baseline's schedule; null for an interval. */
  readonly job: Job | null
  /** What `job.timing` says; null for an interval, which has no periods to answer for. */
  readonly timing: string | null
  readonly policy: PolicySpec
  readonly overlap: Overlap
}

/**
 * What becomes of a run that is due while another is under way. `held`: it is skipped, so a run
 * holds its endpoint. `beside`: it starts. `instead`: it starts and ends the other.
 */
type Overlap = 'held' | 'beside' | 'instead'

/** Throws what the core says about a schedule that can't be followed. */
export function compileEndpoint(endpoint: Endpoint): CompiledEndpoint {
  const { definition } = endpoint
  const { cron } = definition.baseline
  const spec = cron === null ? null : scheduleOf(definition)
  const job = spec === null ? null : compileJob({ ...spec, identity: endpoint.identity })
  const { policy } = endpointPolicy(definition, spec, cron)
  return { endpoint, job, timing: job?.timing ?? null, policy, overlap: overlapOf(policy) }
}

/** The policy of an endpoint for those who show it, whatever else is wrong with its schedule. */
export function statedPolicy(definition: EndpointDefinition): PolicySpec {
  const { cron } = definition.baseline
  try {
    const spec = mayHavePolicy(cron) ? scheduleOf(definition) : null
    return endpointPolicy(definition, spec, cron).policy
  } catch (error) {
    if (error instanceof KronError) return endpointPolicy(definition, null, null).policy
    throw error
  }
}

/** With an optional field for seconds, and what people know from Quartz. */
export function scheduleOf({ baseline }: Pick<EndpointDefinition, 'baseline'>) {
  const options = { dialect: 'extended', timezone: baseline.timezone ?? undefined } as const
  return parseSchedule(baseline.cron!, options)
}

function overlapOf(policy: PolicySpec): Overlap {
  const verdict = evaluate({
    decision: { nominalTime: 0, windowStart: 0, chosenTime: 0 },
    policy: policy.suspend ? { ...policy, suspend: false } : policy,
    now: 0,
    handledThrough: null,
    active: true,
  })
  if (verdict.kind !== 'execute') return 'held'
  return verdict.replace ? 'instead' : 'beside'
}
