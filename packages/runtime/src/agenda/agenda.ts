import type { Clock } from '../clock/index.js'
import { DueHeap } from '../due-heap/due-heap.js'

/** Never longer, so that a wall clock that was changed is noticed. */
const longestSleepMs = 60_000
/** Smaller steps back are the clock being adjusted, and harm nothing. */
const smallestJumpMs = 1000
/** How late a timer may be without the clock having jumped. */
const timerSlackMs = 5000

export interface ClockJump {
  readonly from: number
  readonly to: number
}

/** Keys by the time they are due, and the one timer that waits for the earliest. */
export class Agenda<K> {
  readonly #clock: Clock
  readonly #due = new DueHeap<K>()
  /** What the clock has shown, or must show by now: no time before it is right any more. */
  #reached: number
  #expected: number
  #alarm = new AbortController()
  /** When a sleep that is under way ends by itself; 0 when there is none. */
  #alarmAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#reached = clock.now().getTime()
    this.#expected = this.#reached
  }

  get size(): number {
    return this.#due.size
  }

  /** When the next one is due; never, if there is none. */
  get nextDue(): number {
    return this.#due.peek()?.due ?? Number.POSITIVE_INFINITY
  }

  /** How many are due by then, counting no further than `most`. */
  countDue(until: number, most: number): number {
    return this.#due.countDue(until, most)
  }

  set(key: K, due: number): void {
    this.#due.set(key, due)
    if (due < this.#alarmAt) this.wake()
  }

  remove(key: K): void {
    this.#due.remove(key)
  }

  /** Ends a sleep that is under way. */
  wake(): void {
    this.#alarm.abort('woken')
  }

  /** All that is due at one instant, earliest first. */
  takeDue(now: number): K[] {
    return this.#due.popDue(now)
  }

  /**
   * Sleeps until something is due, a minute at most, or until woken. With `leadMs`, one that is
   * still to come by more than that is waited for until then.
   */
  async sleep(leadMs = 0): Promise<void> {
    const now = this.#clock.now().getTime()
    const left = this.nextDue - now
    const wait = Math.min(Math.max(0, left > leadMs ? left - leadMs : left), longestSleepMs)
    // One serves for many sleeps: most end by themselves, and a new one costs more than a sleep.
    if (this.#alarm.signal.aborted) this.#alarm = new AbortController()
    this.#alarmAt = now + wait
    this.#expected = this.#alarmAt
    try {
      await this.#clock.sleep(wait, this.#alarm.signal)
      this.#reached = Math.max(this.#reached, this.#alarmAt)
    } catch (error) {
      if (!this.#alarm.signal.aborted) throw error
    } finally {
      this.#alarmAt = 0
    }
  }

  /** Whether the wall clock did not go on as time does since it was looked at last. */
  jumpAt(now: number): ClockJump | null {
    const from = this.#reached
    const expected = Math.max(this.#expected, from)
    this.#reached = now
    if (from - now >= smallestJumpMs) return { from, to: now }
    return now - expected > timerSlackMs ? { from: expected, to: now } : null
  }
}
