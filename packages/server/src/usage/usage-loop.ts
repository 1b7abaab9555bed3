import type { Clock, Log, MetricRegistry } from '@kron/runtime'
import type { Store } from '../store/index.js'
import { UsageMetrics } from './usage-metrics.js'

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
