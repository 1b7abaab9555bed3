import type { Clock, Log } from '@kron/runtime'
import type { Session } from '../access/index.js'
import type { Store } from '../store/index.js'

/** By what somebody may read a stream. */
interface StreamHolder {
  readonly keyId: string
  readonly session: Session | null
  /** They may not read any more. */
  end(): void
}

interface StreamWatchOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly everyMs: number
  /** With a store that is away for this long nobody hears anything more. */
  readonly patienceMs: number
}

/**
 * Ends streams together with what they were opened by: a key that is revoked or expires, a tenant
 * that is suspended, a session that ends. Other processes may do that, so the store is asked, once
 * for all streams of this process, and only while there are any.
 */
export class StreamWatch {
  readonly #options: StreamWatchOptions
  readonly #holders = new Set<StreamHolder>()
  #resting = new AbortController()
  #isRunning = false
  #lastAnswerAt = 0

  constructor(options: StreamWatchOptions) {
    this.#options = options
  }

  /** Answers how the holder is forgotten. */
  add(holder: StreamHolder): () => void {
    this.#holders.add(holder)
    if (!this.#isRunning) void this.#run()
    return () => {
      this.#holders.delete(holder)
      if (this.#holders.size === 0) this.#resting.abort()
    }
  }

  async #run(): Promise<void> {
    const { clock, everyMs } = this.#options
    this.#isRunning = true
    this.#lastAnswerAt = this.#now()
    while (this.#holders.size > 0) {
      this.#resting = new AbortController()
      await clock.sleep(everyMs, this.#resting.signal).catch(() => undefined)
      if (this.#holders.size > 0) await this.#look([...this.#holders])
    }
    this.#isRunning = false
  }

  async #look(holders: readonly StreamHolder[]): Promise<void> {
    const { store, log, patienceMs } = this.#options
    const keyIds = [...new Set(holders.map(({ keyId }) => keyId))]
    const sessions = holders.flatMap(({ session }) => session ?? [])
    try {
      const [usable, ended] = await store.system(async (rows) => [
        await rows.usableKeys(keyIds),
        await rows.loggedOut(sessions),
      ])
      this.#lastAnswerAt = this.#now()
      for (const holder of holders) {
        const { keyId, session } = holder
        const isOver = session !== null && (ended.has(session.id) || this.#isPast(session))
        if (isOver || !usable.has(keyId)) holder.end()
      }
    } catch (error) {
      log.failure(error, { operation: 'watch_streams' })
      const awayMs = Math.abs(this.#now() - this.#lastAnswerAt)
      if (awayMs >= patienceMs) for (const holder of holders) holder.end()
    }
  }

  #isPast({ expiresAt }: Session): boolean {
    return expiresAt <= this.#now()
  }

  #now(): number {
    return this.#options.clock.now().getTime()
  }
}
