import type { Log } from '@kron/runtime'
import type { Store } from '../store/index.js'
import { BoundedMap } from './bounded-map.js'

/** The last use of a key is written this often at most. */
const restMs = 60_000
const maxKeys = 10_000

/**
 * Writes down when keys were last used. Uses that come while one write is under way go into the
 * next one together, so that no number of keys makes a queue of writes.
 */
export class KeyUse {
  readonly #store: Store
  readonly #log: Log
  readonly #noted = new BoundedMap<string, number>(maxKeys)
  #waiting = new Map<string, number>()
  #writing: Promise<void> | null = null

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
  }

  note(keyId: string, at: number): void {
    const before = this.#noted.get(keyId)
    if (before !== undefined && Math.abs(at - before) < restMs) return
    this.#noted.set(keyId, at)
    this.#waiting.set(keyId, at)
    this.#writing ??= this.#write()
  }

  /** Resolves when all that was noted is written. */
  async settled(): Promise<void> {
    await this.#writing
  }

  async #write(): Promise<void> {
    // Let the request that used the key come first.
    await null
    while (this.#waiting.size > 0) {
      const used = [...this.#waiting].map(([id, at]) => ({ id, at }))
      this.#waiting = new Map()
      try {
        await this.#store.system((rows) => rows.touchKeys(used))
      } catch (error) {
        this.#log.failure(error, { operation: 'touch_keys' })
      }
    }
    this.#writing = null
  }
}
