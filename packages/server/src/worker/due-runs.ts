import { setImmediate } from 'node:timers/promises'
import { type Clock, DueHeap, WakeableSleep } from '@kron/runtime'

/** Started in one go. Between two goes the requests of the first one are written to the network. */
const maxAtOnce = 128
/** The next go waits at most so long for a line to get shorter. */
const longestHoldMs = 5

/** Runs that are claimed and wait for their time: handed out when it has come, and not before. */
export class DueRuns<Run> {
  readonly #heap = new DueHeap<Run>()
  readonly #sleep: WakeableSleep
  readonly #now: () => number
  readonly #start: (run: Run) => void
  readonly #isCrowded: () => boolean
  #isOpen = true

  constructor(
    clock: Clock,
    now: () => number,
    start: (run: Run) => void,
    isCrowded: () => boolean = () => false,
  ) {
    this.#sleep = new WakeableSleep(clock)
    this.#now = now
    this.#start = start
    this.#isCrowded = isCrowded
  }

  add(run: Run, at: number): void {
    const isFirst = at < (this.#heap.peek()?.due ?? Number.POSITIVE_INFINITY)
    this.#heap.set(run, at)
    if (isFirst) this.#sleep.wake()
  }

  remove(run: Run): boolean {
    return this.#heap.remove(run)
  }

  /** Ends when it is closed. */
  async watch(): Promise<void> {
    while (this.#isOpen) {
      const due = this.#heap.popDue(this.#now(), maxAtOnce)
      for (const run of due) this.#start(run)
      if (due.length === maxAtOnce) {
        await this.#letThrough()
        continue
      }
      const next = this.#heap.peek()
      // Whole milliseconds upwards: a timer that fires early would find nothing due.
      await this.#sleep.for(next === undefined ? 60_000 : Math.ceil(next.due - this.#now()))
    }
  }

  /**
   * What is prepared before it can be sent only takes memory, and the time to collect it. But a
   * line may be long because one target is slow, and the others don't wait for that.
   */
  async #letThrough(): Promise<void> {
    const from = this.#now()
    do await setImmediate()
    while (this.#isCrowded() && this.#now() - from < longestHoldMs)
  }

  /** Hands back what has not been started. */
  close(): Run[] {
    this.#isOpen = false
    const left: Run[] = []
    for (let first = this.#heap.pop(); first !== undefined; first = this.#heap.pop()) {
      left.push(first.key)
    }
    this.#sleep.wake()
    return left
  }
}
