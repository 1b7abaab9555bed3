import type { Counter, MetricRegistry } from '@kron/runtime'
import type { Tenant } from '../domain/index.js'
import type { Pruned } from '../store/index.js'
import type { RetentionOptions } from './retention-loop.js'

const tenantsPage = 100
/** A retry with the same key, or the question what became of a claim, comes within hours. */
const defaultTraceMs = 48 * 3_600_000

/**
 * Of each as many runs are counted as are kept. On SQLite nothing else happens meanwhile: with the
 * usual 10,000 this many take some 60 ms.
 */
const defaultEndpoints = 100

/** One way through all tenants. */
export class Sweep {
  readonly #options: RetentionOptions
  readonly #metrics: RetentionMetrics
  readonly #signal: AbortSignal
  readonly #batch: number

  constructor(options: RetentionOptions, metrics: RetentionMetrics, signal: AbortSignal) {
    this.#options = options
    this.#metrics = metrics
    this.#signal = signal
    this.#batch = options.batch ?? 500
  }

  /** False when something was left behind for the next sweep. */
  async run(): Promise<boolean> {
    const { store } = this.#options
    let isComplete = await this.#traces()
    let after: string | null = null
    do {
      const tenants: readonly Tenant[] = await store.system((rows) =>
        rows.tenants(tenantsPage, after),
      )
      for (const tenant of tenants) isComplete = (await this.#tenant(tenant)) && isComplete
      after = tenants.length === tenantsPage ? tenants.at(-1)!.id : null
    } while (after !== null)
    this.#metrics.sweeps.increment()
    return isComplete
  }

  /** One tenant that can't be pruned leaves the others theirs. */
  async #tenant(tenant: Tenant): Promise<boolean> {
    try {
      const isAgeDone = await this.#inBatches(() => this.#byAge(tenant))
      const isPassEnd = await this.#inBatches(() => this.#byNumber(tenant))
      return isAgeDone && isPassEnd
    } catch (error) {
      this.#signal.throwIfAborted()
      this.#metrics.failures.increment()
      this.#options.log.failure(error, { identity: tenant.id, operation: 'prune' })
      return true
    }
  }

  async #byAge(tenant: Tenant): Promise<boolean> {
    const pruned = await this.#options.store.system((rows) => rows.prune(tenant, this.#batch))
    this.#metrics.count(pruned)
    return pruned.runs + pruned.bodies + pruned.others === 0
  }

  /** Done at the last endpoint: what comes to the first ones meanwhile is for the next sweep. */
  async #byNumber(tenant: Tenant): Promise<boolean> {
    const { store, endpointsPerBatch = defaultEndpoints } = this.#options
    const most = { endpoints: endpointsPerBatch, runs: this.#batch }
    const { runs, isPassEnd } = await store.system((rows) => rows.pruneExcess(tenant, most))
    this.#metrics.runs.increment(runs)
    return isPassEnd
  }

  #traces(): Promise<boolean> {
    const { store, traceMs = defaultTraceMs } = this.#options
    return this.#inBatches(async () => {
      const removed = await store.system((rows) =>
        rows.pruneTraces(rows.now - traceMs, this.#batch),
      )
      this.#metrics.traces.increment(removed)
      return removed === 0
    })
  }

  /** Until a batch says it was the last, or there have been enough; a pause follows each. */
  async #inBatches(removeSome: () => Promise<boolean>): Promise<boolean> {
    const { clock, pauseMs = 50, batchesPerTenant = 100 } = this.#options
    for (let done = 0; done < batchesPerTenant; done++) {
      this.#signal.throwIfAborted()
      if (await removeSome()) return true
      await clock.sleep(pauseMs, this.#signal)
    }
    return false
  }
}

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
