import { type Backoff, backoffMs, type Clock } from '@kron/runtime'
import type { Tracer } from '@opentelemetry/api'
import { randomText } from '../domain/index.js'
import type { EndpointPlanning } from '../scheduling/index.js'
import { type Claim, type Store, StoreError } from '../store/index.js'
import { traceClaim } from '../tracing/index.js'
import type { DatabaseTime } from './database-time.js'
import type { WorkerMetrics } from './worker-metrics.js'

export interface ClaimerOptions {
  readonly store: Store
  readonly clock: Clock
  /** Milliseconds that only ever grow; the wall clock is not asked. */
  readonly elapsed: () => number
  readonly tracer?: Tracer
  readonly owner: string
  readonly planning: EndpointPlanning
  readonly time: DatabaseTime
  readonly metrics: WorkerMetrics
  readonly crowd: number
  /** How far ahead the next claim looks. */
  readonly withinMs: () => number
  readonly isStopping: () => boolean
  readonly onFailure: (operation: 'claim' | 'settle', error: unknown) => void
}

export const claimBackoff: Backoff = { firstMs: 100, maxMs: 3_000 }

/**
 * Claims runs, one claim at a time. A claim whose answer got lost is settled before the next one:
 * either its runs are ours, and are sent, or it never happens.
 */
export class Claimer {
  readonly #options: ClaimerOptions

  constructor(options: ClaimerOptions) {
    this.#options = options
  }

  /** Null if nothing was claimed because the store failed. */
  async claim(limit: number, without: readonly string[]): Promise<Claim | null> {
    const { store, clock, elapsed, tracer, crowd, owner, planning, time, metrics } = this.#options
    const claimId = `${owner}.${randomText(16)}`
    const withinMs = this.#options.withinMs()
    const sentAt = elapsed()
    try {
      const request = { claimId, owner, limit, withinMs, crowd, without }
      const claim = await store.claim(request, planning)
      time.observe(claim.now, sentAt, elapsed())
      metrics.claims.with({ result: 'answered' }).increment()
      const tookMs = elapsed() - sentAt
      metrics.claimSeconds.observe(tookMs / 1000)
      if (tracer !== undefined) traceClaim(tracer, claim, tookMs, clock.now().getTime())
      return claim
    } catch (error) {
      this.#options.onFailure('claim', error)
      metrics.claims.with({ result: 'failed' }).increment()
      if (error instanceof StoreError && error.applied === 'no') return null
      return this.#settle(claimId)
    }
  }

  /** Asked until there is an answer, at least once: before that there is no other claim. */
  async #settle(claimId: string): Promise<Claim | null> {
    const { store, clock, planning, metrics, isStopping } = this.#options
    for (let tries = 0; tries === 0 || !isStopping(); tries++) {
      try {
        const claim = await store.settleClaim(claimId, planning)
        metrics.claims.with({ result: 'settled' }).increment()
        return { ...claim, full: true }
      } catch (error) {
        this.#options.onFailure('settle', error)
        await clock.sleep(backoffMs(claimBackoff, tries + 1))
      }
    }
    return null
  }
}
