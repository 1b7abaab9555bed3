import type { Clock, Log, MetricRegistry } from '@kron/runtime'
import type { Attention, Store } from '../store/index.js'
import type { Planner } from './planner.js'
import { PlannerMetrics } from './planner-metrics.js'
import { holdSession } from './session.js'
import { SiblingDirectory } from './siblings.js'

interface PlannerLoopOptions {
  readonly store: Store
  /** Each sees what the ones before it have done. */
  readonly planners: readonly Planner[]
  readonly clock: Clock
  readonly log: Log
  readonly metrics: MetricRegistry
  /** Endpoints that are taken from the list at once. */
  readonly batch?: number
  /** Sessions at the same time. */
  readonly concurrency?: number
  /** How long to wait when nobody asks for attention, or the store can't be reached. */
  readonly idleMs?: number
}

/**
 * Looks after endpoints that ask for attention, until the signal aborts. What is taken from the
 * list and not finished by then is lost; an endpoint in trouble asks again with its next run.
 */
export async function plannerLoop(options: PlannerLoopOptions, signal: AbortSignal): Promise<void> {
  const { clock, batch = 32, idleMs = 2_000 } = options
  const work = new PlannerWork(options, signal)
  while (!signal.aborted) {
    const taken = await work.take(batch)
    await work.lookAfter(taken)
    if (taken.length === batch) continue
    await clock.sleep(idleMs, signal).catch(() => undefined)
  }
}

class PlannerWork {
  readonly #options: PlannerLoopOptions
  readonly #signal: AbortSignal
  readonly #metrics: PlannerMetrics
  readonly #siblings = new SiblingDirectory()

  constructor(options: PlannerLoopOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#metrics = new PlannerMetrics(options.metrics)
  }

  async take(limit: number): Promise<readonly Attention[]> {
    try {
      return await this.#options.store.system((rows) => rows.takeAttention(limit))
    } catch (error) {
      this.#options.log.failure(error, { operation: 'take_attention' })
      return []
    }
  }

  /** As many at a time as allowed; none holds up the others, whatever becomes of it. */
  async lookAfter(taken: readonly Attention[]): Promise<void> {
    const waiting = taken.values()
    const next = async (): Promise<void> => {
      for (const attention of waiting) {
        if (this.#signal.aborted) return
        await this.#sessions(attention)
      }
    }
    const { concurrency = 4 } = this.#options
    await Promise.all(Array.from({ length: concurrency }, next))
  }

  async #sessions(attention: Attention): Promise<void> {
    for (const planner of this.#options.planners) {
      try {
        await this.#session(planner, attention)
      } catch (error) {
        this.#metrics.failed(planner.name)
        this.#fail(error, attention)
      }
    }
  }

  async #session(planner: Planner, attention: Attention): Promise<void> {
    const { store, log } = this.#options
    const held = await holdSession(store, planner, attention, this.#siblings, this.#signal)
    this.#metrics.count(planner.name, held)
    if (held.kind === 'passed') return
    if (held.error !== null) this.#fail(held.error, attention)
    const { session } = held
    const { actions, suggested, refused } = session
    if (actions.length + suggested.length + refused.length === 0) return
    log.info(suggested.length > 0 ? 'planner_suggested' : 'planner_acted', {
      identity: session.endpointId,
      planner: planner.name,
      actions: actions.map(({ kind }) => kind),
      suggested: suggested.map(({ action }) => action.kind),
      refused: refused.map(({ action, why }) => `${action.kind}: ${why}`),
    })
  }

  #fail(error: unknown, { endpointId }: Attention): void {
    this.#options.log.failure(error, { identity: endpointId, operation: 'planner_session' })
  }
}
