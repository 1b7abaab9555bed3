import type { EndpointDefinition } from './endpoint.js'

/** What people get who say nothing about it: everything but a name, a URL and a baseline. */
export const defaultDefinition: Omit<EndpointDefinition, 'name' | 'url'> = {
  description: null,
  method: 'GET',
  headers: {},
  body: null,
  baseline: { cron: null, timezone: null, intervalMs: null, jitterMs: null },
  minIntervalMs: null,
  maxIntervalMs: null,
  timeoutMs: 30_000,
  maxExecutionTimeMs: 60_000,
  maxResponseSizeKb: 64,
  concurrency: 'forbid',
  deadlineMs: null,
  retry: null,
  onWorkerLoss: 'cancel',
  redirects: 'refuse',
  failureCountPolicy: 'reset',
  steering: false,
  planner: 'suggest',
  adaptive: { outsideCron: false },
  secret: null,
  keepResponses: true,
}
