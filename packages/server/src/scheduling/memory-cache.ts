import type { Memory } from '../learner/index.js'
import { RecentlyUsed } from './recently-used.js'

/** Some 2.5 KB each. */
const maxMemories = 10_000

/** What was remembered of an endpoint when the run of this fence was recorded. */
export interface KeptMemory {
  readonly endpointId: string
  readonly fence: number
  readonly memory: Memory
}

/**
 * Memories that this worker has stored, so that it need not read them for the next run. Each claim
 * makes the endpoint's fence greater by one, and only recorded runs change a memory: when the run to
 * be recorded has the fence after the one of the kept memory, nobody else has changed it since. What
 * is taken is gone from here until the transaction that changes it has committed.
 */
export class MemoryCache {
  readonly #kept = new RecentlyUsed<KeptMemory>(maxMemories)

  take(endpointId: string, fence: number): Memory | null {
    const kept = this.#kept.peek(endpointId)
    if (kept === undefined) return null
    this.#kept.delete(endpointId)
    return kept.fence + 1 === fence ? kept.memory : null
  }

  keep(kept: KeptMemory): void {
    this.#kept.set(kept.endpointId, kept)
  }
}
