import type { Clock, Log, MetricRegistry } from '@kron/runtime'
import type { Store } from '../store/index.js'
import { RetentionMetrics, Sweep } from './sweep.js'

export interface RetentionOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly metrics: MetricRegistry
  /** Rows of each kind that one transaction removes at most. */
  readonly batch?: number
  /** Endpoints that one transaction looks at for runs beyond the number that is kept. */
  readonly endpointsPerBatch?: number
  /** Between two batches, so that others get their turn at the store. */
  readonly pauseMs?: number
  /** Between two sweeps. */
  readonly everyMs?: number
  /** How long claims and remembered answers are kept. */
  readonly traceMs?: number
  /**
   * Batches of one tenant in one sweep, by age and by number each; the rest waits for the next, as
   * other tenants did.
   */
  readonly batchesPerTenant?: number
}

/** After a sweep that left something behind. */
const soonMs = 1_000

/** Removes what no longer has to be kept, a little at a time, until the signal aborts. */
export async function retentionLoop(options: RetentionOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, everyMs = 600_000 } = options
  const metrics = new RetentionMetrics(options.metrics)
  while (!signal.aborted) {
    let waitMs = everyMs
    try {
      const isComplete = await new Sweep(options, metrics, signal).run()
      if (!isComplete) waitMs = Math.min(soonMs, everyMs)
    } catch (error) {
      // What can't be removed now is removed later; nobody depends on it.
      if (!signal.aborted) log.failure(error, { operation: 'prune' })
    }
    await clock.sleep(waitMs, signal).catch(() => undefined)
  }
}
