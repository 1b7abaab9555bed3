import type { Counter, MetricRegistry } from '@kron/runtime'
import type { Pruned } from '../store/index.js'

export class RetentionMetrics {
  readonly runs: Counter
  readonly bodies: Counter
  readonly others: Counter
  readonly traces: Counter
  readonly sweeps: Counter
  readonly failures: Counter

  constructor(registry: MetricRegistry) {
    const pruned = registry.counter({
      name: 'kron_retention_pruned_total',
      help: 'Rows that were removed because they need not be kept any longer.',
      labels: ['kind'],
    })
    this.runs = pruned.with({ kind: 'run' })
    this.bodies = pruned.with({ kind: 'body' })
    this.others = pruned.with({ kind: 'other' })
    this.traces = pruned.with({ kind: 'trace' })
    this.sweeps = registry.counter({
      name: 'kron_retention_sweeps_total',
      help: 'Sweeps through all tenants that came to their end.',
    })
    this.failures = registry.counter({
      name: 'kron_retention_failures_total',
      help: 'Tenants that could not be pruned in a sweep.',
    })
  }

  count({ runs, bodies, others }: Pruned): void {
    this.runs.increment(runs)
    this.bodies.increment(bodies)
    this.others.increment(others)
  }
}
