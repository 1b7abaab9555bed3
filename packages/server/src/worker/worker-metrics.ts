import type { MetricRegistry } from '@kron/runtime'

export type WorkerMetrics = ReturnType<typeof workerMetrics>

const seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export function workerMetrics(registry: MetricRegistry) {
  return {
    runs: registry.counter({
      name: 'kron_runs_total',
      help: 'Runs that ended, by status.',
      labels: ['status'],
    }),
    lateness: registry.histogram({
      name: 'kron_run_lateness_seconds',
      help: 'From when a run was due to when its request was sent.',
      buckets: seconds,
    }),
    duration: registry.histogram({
      name: 'kron_run_duration_seconds',
      help: 'From the first request of a run to its end.',
      buckets: seconds,
    }),
    inFlight: registry.gauge({
      name: 'kron_runs_in_flight',
      help: 'Runs that are claimed and not ended.',
    }),
    claims: registry.counter({
      name: 'kron_claims_total',
      help: 'Claims, by result.',
      labels: ['result'],
    }),
    claimSeconds: registry.histogram({
      name: 'kron_claim_seconds',
      help: 'Duration of a claim.',
      buckets: seconds,
    }),
    fenced: registry.counter({
      name: 'kron_outcomes_fenced_total',
      help: 'Outcomes that came too late and were refused.',
    }),
    storeFailures: registry.counter({
      name: 'kron_store_failures_total',
      help: 'Calls of the store that failed, by operation.',
      labels: ['operation'],
    }),
  }
}
