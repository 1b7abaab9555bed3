import type { Clock } from '@kron/runtime'
import type { Announcer } from '../event/index.js'
import type { WatchedTime } from './watched-time.js'

const msPerMinute = 60_000

/**
 * Reads the clock, and notices when it does not go as it should. Nobody sleeps past the next full
 * minute, so a loop that wakes more than a minute late was held up, or the clock was set forward.
 */
export class WallClock {
  readonly watched: WatchedTime
  readonly #clock: Clock
  readonly #announcer: Announcer
  #latest: number
  #wakeAt: number
  #isBeginning = false

  constructor(clock: Clock, watched: WatchedTime, since: number, announcer: Announcer) {
    this.#clock = clock
    this.watched = watched
    this.#latest = since
    this.#wakeAt = since
    this.#announcer = announcer
  }

  /** A clock that fails has stood still: nothing that must be recorded may be lost by it. */
  now(): number {
    try {
      const now = this.#clock.now().getTime()
      return Number.isFinite(now) ? now : this.#latest
    } catch (error) {
      this.#announcer.surprise(error)
      return this.#latest
    }
  }

  /** The time, and whether the clock went back since the last look. */
  look(): { now: number; wentBack: boolean } {
    const now = this.now()
    const wentBack = now < this.#latest
    const delayMs = now - Math.max(this.#latest, this.#wakeAt)
    const time = new Date(now)
    if (wentBack) {
      this.#announcer.announce({ type: 'ClockSetBack', time, from: new Date(this.#latest) })
    } else if (delayMs >= msPerMinute) {
      const expectedAt = new Date(this.#wakeAt)
      this.#announcer.announce({ type: 'PollingDelayed', time, expectedAt, delayMs })
    }
    this.#isBeginning = wentBack || delayMs >= msPerMinute
    this.#latest = now
    return { now, wentBack }
  }

  /** Whether so much time has passed since the last look that the next one has to tell it. */
  get isBehind(): boolean {
    return this.now() - this.#latest >= msPerMinute
  }

  /** All that was due by now is known: a minute has been watched when it has been looked at. */
  hasWatchedUntil(now: number): void {
    const hasJumped = now - this.#latest >= msPerMinute
    if (this.#isBeginning || hasJumped) this.watched.beginAt(now)
    this.watched.reach(now)
  }

  /** How long to sleep until `instant`, or until the next full minute if that comes first. */
  restUntil(instant: number, now: number): number {
    const nextMinute = now - (now % msPerMinute) + msPerMinute
    this.#wakeAt = Math.max(now, Math.min(instant, nextMinute))
    return this.#wakeAt - now
  }
}
