import type { Clock } from '@kron/runtime'
import type { Outcome, Planning, RecordAnswer, Recorded, Store } from '../store/index.js'

export interface RecorderOptions {
  readonly store: Store
  readonly planning: Planning
  readonly clock: Clock
  readonly mostAtOnce: number
  /** How long outcomes gather before they are written together. */
  readonly gatherMs: number
  /** Requests wait to be sent: each is late by whatever is done before it. */
  readonly isRushed: () => boolean
  readonly onRecorded: (outcome: Outcome, answer: Recorded) => void
  readonly onBatch: (answer: RecordAnswer, sentAt: number, count: number) => void
  readonly onFailure: (error: unknown, waiting: number) => void
  readonly elapsed: () => number
}

/** Outcomes wait for a rush to end, but no longer than this, and no more of them. */
const longestRushMs = 500
const mostInRush = 20_000
const firstDelayMs = 50
const mostDelayMs = 2_000

/**
 * Writes outcomes in batches: what has ended while the last batch was written, and a little later,
 * makes the next one. A commit costs the same for one outcome as for hundreds. In a rush they wait a
 * little longer: dying meanwhile leaves runs that ended to be taken for lost, and nothing else.
 *
 * A batch that fails is written again until it succeeds: to repeat it is harmless, and to drop it
 * would leave runs that ended to be taken for lost.
 */
export class Recorder {
  readonly #options: RecorderOptions
  #waiting: Outcome[] = []
  #writing: Promise<void> | null = null
  #isGivenUp = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#waiting.length
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome)
    if (!this.#isGivenUp) this.#writing ??= this.#writeAll()
  }

  /** Resolves when everything that was added is written. */
  async drained(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  /** Stops trying; what is not written is left to the leases. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  async #writeAll(): Promise<void> {
    const { mostAtOnce } = this.#options
    while (this.#waiting.length > 0 && !this.#isGivenUp) {
      await this.#gather()
      const batch = this.#waiting.slice(0, mostAtOnce)
      this.#waiting = this.#waiting.slice(batch.length)
      await this.#write(batch)
    }
    // Together with the last look: an outcome that came in between would wait for another one.
    this.#writing = null
  }

  async #gather(): Promise<void> {
    const { clock, gatherMs, mostAtOnce, isRushed, elapsed } = this.#options
    // Between two batches that are full already, requests and answers get their turn.
    await clock.sleep(this.#waiting.length < mostAtOnce ? gatherMs : 0)
    const from = elapsed()
    while (isRushed() && elapsed() - from < longestRushMs && this.#waiting.length < mostInRush) {
      await clock.sleep(gatherMs)
    }
  }

  async #write(batch: readonly Outcome[]): Promise<void> {
    const { store, planning, clock, elapsed } = this.#options
    for (let delay = firstDelayMs; !this.#isGivenUp; delay = Math.min(delay * 2, mostDelayMs)) {
      const sentAt = elapsed()
      try {
        const answer = await store.record(batch, planning)
        this.#options.onBatch(answer, sentAt, batch.length)
        batch.forEach((outcome, index) => {
          this.#options.onRecorded(outcome, answer.answers[index]!)
        })
        return
      } catch (error) {
        this.#options.onFailure(error, batch.length + this.#waiting.length)
        await clock.sleep(delay)
      }
    }
  }
}
