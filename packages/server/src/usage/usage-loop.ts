import type { Clock, Gauge, Log, MetricRegistry } from '@kron/runtime'
import type { SystemQuotas, SystemUsage } from '../domain/index.js'
import type { Store } from '../store/index.js'

export interface UsageLoopOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly metrics: MetricRegistry
  readonly everyMs?: number
}

/**
 * Tells operators what all tenants together have used, until the signal aborts. Not when the metrics
 * are asked for: these must not wait for the database.
 */
export async function usageLoop(options: UsageLoopOptions, signal: AbortSignal): Promise<void> {
  const { store, clock, log, everyMs = 15_000 } = options
  const metrics = new UsageMetrics(options.metrics)
  while (!signal.aborted) {
    try {
      await store.system(async (rows) => metrics.show(rows.quotas, await rows.usage()))
    } catch (error) {
      if (!signal.aborted) log.failure(error, { operation: 'read_usage' })
    }
    await clock.sleep(everyMs, signal).catch(() => undefined)
  }
}

const usedOf = [
  ['runsPerMonth', 'runs'],
  ['aiCallsPerMonth', 'aiCalls'],
  ['aiTokensPerMonth', 'aiTokens'],
] as const satisfies readonly (readonly [keyof SystemQuotas, keyof SystemUsage])[]

interface QuotaGauges {
  with(labels: { readonly quota: keyof SystemQuotas }): Gauge
}

export class UsageMetrics {
  readonly #used: QuotaGauges
  readonly #limits: QuotaGauges

  constructor(registry: MetricRegistry) {
    this.#used = registry.gauge({
      name: 'kron_system_usage',
      help: 'What all tenants together have used this month, by quota.',
      labels: ['quota'],
    })
    this.#limits = registry.gauge({
      name: 'kron_system_quota',
      help: 'What all tenants together may use in a month, where there is a limit, by quota.',
      labels: ['quota'],
    })
  }

  show(quotas: SystemQuotas, usage: SystemUsage): void {
    for (const [quota, used] of usedOf) {
      this.#used.with({ quota }).set(usage[used])
      const limit = quotas[quota]
      if (limit !== null) this.#limits.with({ quota }).set(limit)
    }
  }
}
