import {
  defaultDefinition,
  type Endpoint,
  type EndpointDefinition,
  type Plan,
  type Run,
} from '../src/domain/index.js'
import { type CompiledEndpoint, compileEndpoint, newPlan } from '../src/scheduling/index.js'

export const sampleNow = Date.UTC(2026, 2, 1, 12, 0, 30)
export const sampleId = 'ep_00000000000000000000000001'

const definition: EndpointDefinition = {
  ...defaultDefinition,
  name: 'sync',
  url: 'https://api.example.com/sync',
  method: 'POST',
  baseline: { ...defaultDefinition.baseline, intervalMs: 300_000 },
}

/** An endpoint that calls every five minutes, made a day before `sampleNow`, but for `change`. */
export function sampleEndpoint(
  change: Partial<EndpointDefinition> = {},
  place: Partial<Omit<Endpoint, 'definition'>> = {},
): Endpoint {
  const createdAt = sampleNow - 86_400_000
  return {
    id: sampleId,
    tenantId: 'ten_00000000000000000000000001',
    jobId: 'job_00000000000000000000000001',
    identity: sampleId,
    version: 1,
    createdAt,
    updatedAt: createdAt,
    archivedAt: null,
    definition: { ...definition, ...change },
    ...place,
  }
}

export const byCron = (cron: string, timezone: string | null = null) => ({
  baseline: { ...defaultDefinition.baseline, cron, timezone },
})

export const byInterval = (intervalMs: number, jitterMs: number | null = null) => ({
  baseline: { ...defaultDefinition.baseline, intervalMs, jitterMs },
})

export interface SamplePlan {
  readonly plan: Plan
  readonly compiled: CompiledEndpoint
}

/** A plan made at `sampleNow`, and then changed. */
export function samplePlan(
  change: Partial<EndpointDefinition> = {},
  planned: Partial<Plan> = {},
): SamplePlan {
  const endpoint = sampleEndpoint(change)
  const compiled = compileEndpoint(endpoint)
  return { compiled, plan: { ...newPlan(endpoint, compiled, sampleNow), ...planned } }
}

/** A run that took 100 ms and succeeded, but for `change`. */
export function sampleRun(scheduledFor: number, change: Partial<Run> = {}): Run {
  return {
    endpointId: sampleId,
    scheduledFor,
    tenantId: 'ten_00000000000000000000000001',
    periodId: new Date(scheduledFor).toISOString(),
    source: 'baseline-interval',
    status: 'success',
    reason: null,
    fence: 1,
    owner: null,
    claimedAt: scheduledFor,
    startedAt: scheduledFor,
    endedAt: scheduledFor + 100,
    attempts: 1,
    error: null,
    response: { httpStatus: 200, headers: {}, bodyBytes: 0, truncated: false },
    notes: [],
    context: { failureCount: 0 },
    ...change,
  }
}
