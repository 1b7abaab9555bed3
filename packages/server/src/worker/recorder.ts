import { type Backoff, backoffMs, type Clock } from '@kron/runtime'
import type { Outcome, Planning } from '../scheduling/index.js'
import { type RecordAnswer, type Recorded, type Store, StoreError } from '../store/index.js'

import { withoutBody } from './execution.js'

export interface RecorderOptions {
  readonly store: Store
  readonly planning: Planning
  readonly clock: Clock
  readonly maxAtOnce: number
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
const maxInRush = 20_000
/** With fewer in a millisecond the requests wait for slow targets, and there is time to write. */
const rushedPerMs = 2
/** Full batches that are written at once: the store works on one while the next is prepared. */
const maxWriters = 3
/** Bodies in one batch: all of them are in memory again, as the text of a statement. */
const maxBodyBytes = 8 * 1024 * 1024
const backoff: Backoff = { firstMs: 50, maxMs: 2_000 }
/** An outcome that alone fails so often is left to its lease. */
const maxTriesAlone = 20

/**
 * Writes outcomes in batches: what has ended while the last batch was written, and a little later,
 * makes the next one. A commit costs the same for one outcome as for hundreds. In a rush they wait a
 * little longer: dying meanwhile leaves runs that ended to be taken for lost, and nothing else.
 *
 * A batch that fails because the store is away is written again until it succeeds: to repeat it is
 * harmless, and to drop it would leave runs that ended to be taken for lost. One that fails for
 * another reason is written in halves, so that the outcome which can't be written is alone at last.
 * Outcomes of endpoints that somebody is changing are put aside for a moment: others go on.
 *
 * Outcomes of runs that overlap are written in the order in which they came: none is taken while
 * an earlier one of its endpoint is in hand.
 */
export class Recorder {
  readonly #options: RecorderOptions
  #waiting: Outcome[] = []
  /** All that were ever added. */
  #added = 0
  /** Endpoints whose runs overlap and of which an outcome is being written or put aside. */
  readonly #inHand = new Map<string, number>()
  readonly #writers = new Set<Promise<void>>()
  readonly #aside = new Set<Promise<void>>()
  #isGivenUp = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#waiting.length
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome)
    this.#added++
    const { size } = this.#writers
    const isFull = this.#waiting.length >= this.#options.maxAtOnce
    if (size === 0 || (isFull && size < maxWriters)) this.#startWriter()
  }

  /** Resolves when everything that was added is written. */
  async drained(): Promise<void> {
    while (this.#writers.size + this.#aside.size > 0) {
      await Promise.all([...this.#writers, ...this.#aside])
    }
  }

  /** Stops trying; what is not written is left to the leases. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  #startWriter(): void {
    if (this.#isGivenUp) return
    const writer: Promise<void> = this.#writeAll(() => this.#writers.delete(writer))
    this.#writers.add(writer)
  }

  async #writeAll(leave: () => void): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isGivenUp) {
      await this.#gather()
      const isOneOfMany = this.#writers.size > 1
      if (isOneOfMany && this.#waiting.length < this.#options.maxAtOnce) break
      const batch = this.#take()
      // All that wait are of endpoints that are in hand: their holder comes back.
      if (batch.length === 0) break
      await this.#write(batch)
    }
    // Together with the last look: an outcome that came in between would wait for another one.
    leave()
  }

  async #gather(): Promise<void> {
    const { clock, gatherMs, maxAtOnce, isRushed, elapsed } = this.#options
    // Between two batches that are full already, requests and answers get their turn.
    await clock.sleep(this.#waiting.length < maxAtOnce ? gatherMs : 0)
    const from = elapsed()
    while (isRushed() && elapsed() - from < longestRushMs && this.#waiting.length < maxInRush) {
      const before = this.#added
      await clock.sleep(gatherMs)
      if (this.#added - before < rushedPerMs * gatherMs) return
    }
  }

  #take(): Outcome[] {
    const { maxAtOnce } = this.#options
    const batch: Outcome[] = []
    const left: Outcome[] = []
    let bodyBytes = 0
    let at = 0
    for (; at < this.#waiting.length && batch.length < maxAtOnce; at++) {
      const outcome = this.#waiting[at]!
      if (outcome.overlapping && this.#inHand.has(outcome.endpointId)) {
        left.push(outcome)
        continue
      }
      bodyBytes += outcome.response?.body.byteLength ?? 0
      if (bodyBytes > maxBodyBytes && batch.length > 0) break
      batch.push(outcome)
    }
    this.#waiting = [...left, ...this.#waiting.slice(at)]
    for (const { endpointId, overlapping } of batch) {
      if (overlapping) this.#inHand.set(endpointId, (this.#inHand.get(endpointId) ?? 0) + 1)
    }
    return batch
  }

  #letGo({ endpointId, overlapping }: Outcome): void {
    if (!overlapping) return
    const others = this.#inHand.get(endpointId)! - 1
    if (others === 0) this.#inHand.delete(endpointId)
    else this.#inHand.set(endpointId, others)
  }

  async #write(batch: readonly Outcome[]): Promise<void> {
    const { clock } = this.#options
    for (let failures = 1; !this.#isGivenUp; failures++) {
      const error = await this.#try(batch)
      if (error === null) return
      if (!isAway(error)) return this.#writeParts(batch)
      await clock.sleep(backoffMs(backoff, failures))
    }
  }

  /** The error, if it failed. */
  async #try(batch: readonly Outcome[]): Promise<unknown> {
    const { store, planning, elapsed, onBatch, onFailure } = this.#options
    const sentAt = elapsed()
    let answer: RecordAnswer
    try {
      answer = await store.record(batch, planning)
    } catch (error) {
      onFailure(error, batch.length + this.#waiting.length)
      return error
    }
    onBatch(answer, sentAt, batch.length)
    const busy: Outcome[] = []
    batch.forEach((outcome, index) => {
      const answered = answer.answers[index]!
      if (answered === 'busy') busy.push(outcome)
      else this.#recorded(outcome, answered)
    })
    if (busy.length > 0) this.#putAside(busy)
    return null
  }

  #recorded(outcome: Outcome, answer: Recorded): void {
    this.#letGo(outcome)
    this.#options.onRecorded(outcome, answer)
  }

  async #writeParts(batch: readonly Outcome[]): Promise<void> {
    if (batch.length === 1) return this.#writeAlone(batch[0]!)
    const half = Math.ceil(batch.length / 2)
    await this.#write(batch.slice(0, half))
    await this.#write(batch.slice(half))
  }

  /** Its body is the likeliest reason why it can't be written, and the run counts for more. */
  #writeAlone(outcome: Outcome): void {
    this.#beside(async () => {
      const { clock } = this.#options
      const bare = withoutBody(outcome, { truncated: true })
      let tries = 0
      for (let failures = 1; tries < maxTriesAlone && !this.#isGivenUp; failures++) {
        const error = await this.#try([bare])
        if (error === null) return
        if (!isAway(error)) tries++
        await clock.sleep(backoffMs(backoff, failures))
      }
      if (!this.#isGivenUp) this.#recorded(outcome, 'fenced')
    })
  }

  /** They come first again after a moment; meanwhile nobody takes later ones of their endpoints. */
  #putAside(outcomes: readonly Outcome[]): void {
    this.#beside(async () => {
      await this.#options.clock.sleep(backoff.firstMs)
      for (const outcome of outcomes) this.#letGo(outcome)
      this.#waiting = [...outcomes, ...this.#waiting]
    })
  }

  #beside(work: () => Promise<void>): void {
    const done: Promise<void> = work().finally(() => {
      this.#aside.delete(done)
      if (this.#waiting.length > 0 && this.#writers.size === 0) this.#startWriter()
    })
    this.#aside.add(done)
  }
}

/** Whether the store may take the very same batch later. */
function isAway(error: unknown): boolean {
  return error instanceof StoreError && error.code !== 'broken' && error.code !== 'incompatible'
}
