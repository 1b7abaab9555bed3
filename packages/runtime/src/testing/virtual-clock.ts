import { clearImmediate, setImmediate } from 'node:timers'
import { checkInstant, quote, SchedulingError, ValidationError } from '@kron/core'
import type { Clock } from '../clock/clock.js'
import { abortableWait, checkSleepArguments } from '../clock/sleep.js'
import { DueHeap } from '../due-heap/due-heap.js'
import { settle } from './settle.js'

export interface VirtualClockOptions {
  /**
   * Turns of the event loop without anything under way before time may pass (default 2). More
   * gives room to work that the process does not list, such as messages of other threads. None is
   * the fastest, for work that is all promises, without `process.nextTick`: then the
   * loop only turns for what is listed.
   */
  readonly quietTurns?: number
}

type Wake = () => void

const defaultWakeLimit = 1_000_000

/**
 * Time for tests and simulation. It passes only while one of the methods that return a promise
 * runs, and then only when everything else waits: all work that is ready settles, the clock jumps
 * to the earliest sleeper, wakes that one alone, and begins again. Sleepers of the same instant
 * wake in the order in which they fell asleep, each after the one before has come to rest.
 *
 * Two times are kept: the time that has elapsed, on which sleepers wait, and the wall clock that
 * `now()` shows, which `step` can set forward or back.
 */
export class VirtualClock implements Clock {
  readonly #sleepers = new DueHeap<Wake>()
  readonly #quietTurns: number
  #elapsedMs = 0
  #wallMinusElapsedMs: number
  #advancing = false

  constructor(start: Date | number, options: VirtualClockOptions = {}) {
    this.#wallMinusElapsedMs = epochMs(start, 'start')
    this.#quietTurns = count(options?.quietTurns ?? 2, 'quietTurns', 1000, 0)
  }

  now(): Date {
    return new Date(this.#wallMs)
  }

  /** A sleep of zero or less ends by itself at the next turn of the event loop. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    checkSleepArguments(ms, signal, this.#wallMs)
    await abortableWait(signal, (finish) => {
      if (ms <= 0) {
        const turn = setImmediate(finish)
        return () => clearImmediate(turn)
      }
      const wake = (): void => finish()
      this.#sleepers.set(wake, this.#elapsedMs + Math.ceil(ms))
      return () => void this.#sleepers.remove(wake)
    })
  }

  /** How many sleep now, and will until time passes or their signal aborts. */
  get pending(): number {
    return this.#sleepers.size
  }

  /**
   * Sets the wall clock forward or back, as an administrator or a time server would. Nobody wakes
   * by it, and no time passes: sleeps are durations, so each keeps what is left of its own.
   */
  step(ms: number): void {
    count(ms, 'ms', Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER)
    epochMs(this.#wallMs + ms, 'the wall clock after step(ms)')
    this.#wallMinusElapsedMs += ms
  }

  /** Lets `ms` pass, whatever `step` does to the wall clock meanwhile. */
  async advanceBy(ms: number): Promise<void> {
    count(ms, 'ms', Number.MAX_SAFE_INTEGER, 0)
    const end = this.#elapsedMs + ms
    epochMs(this.#wallMs + ms, 'the end of advanceBy(ms)')
    await this.#advance(() => end, Number.POSITIVE_INFINITY)
  }

  /** Lets time pass until the wall clock shows `instant`, which must not be over yet. */
  async advanceTo(instant: Date | number): Promise<void> {
    const end = epochMs(instant, 'instant')
    if (end < this.#wallMs) {
      throw new ValidationError(
        'KRON_INSTANT_INVALID',
        `instant must not be before ${this.now().toISOString()}, where the clock stands, ` +
          `got ${new Date(end).toISOString()}; step() sets a clock back`,
        { field: 'instant', value: instant, allowed: `${this.#wallMs} or later` },
      )
    }
    await this.runUntil(end)
  }

  /** As `advanceTo`; an instant that is over only lets the work that is ready settle. */
  async runUntil(instant: Date | number): Promise<void> {
    const end = epochMs(instant, 'instant')
    await this.#advance(() => end - this.#wallMinusElapsedMs, Number.POSITIVE_INFINITY)
  }

  /**
   * Lets time pass until nobody sleeps: true. Work that goes on for ever never gets there, so at
   * most `limit` sleepers wake (default 1,000,000): false when somebody sleeps still.
   */
  async runUntilIdle(options: { readonly limit?: number } = {}): Promise<boolean> {
    const limit = count(options?.limit ?? defaultWakeLimit, 'limit', Number.MAX_SAFE_INTEGER)
    await this.#advance(undefined, limit)
    return this.pending === 0
  }

  get #wallMs(): number {
    return this.#wallMinusElapsedMs + this.#elapsedMs
  }

  /** `end` is asked again after each wake, since a step moves the end of a run by wall clock. */
  async #advance(end: (() => number) | undefined, wakeLimit: number): Promise<void> {
    if (this.#advancing) throw alreadyAdvancing()
    this.#advancing = true
    try {
      await settle(this.#quietTurns)
      for (let woken = 0; woken < wakeLimit; woken++) {
        const earliest = this.#sleepers.peek()
        if (earliest === undefined || earliest.due > (end?.() ?? earliest.due)) break
        this.#jumpTo(earliest.due)
        this.#sleepers.pop()
        earliest.key()
        await settle(this.#quietTurns)
      }
      if (end !== undefined) this.#jumpTo(end())
    } finally {
      this.#advancing = false
    }
  }

  #jumpTo(elapsedMs: number): void {
    // Not back: after a step forward the end of a run by wall clock may already be over.
    if (elapsedMs <= this.#elapsedMs) return
    epochMs(this.#wallMinusElapsedMs + elapsedMs, 'the wall clock at the next wake')
    this.#elapsedMs = elapsedMs
  }
}

function count(value: unknown, field: string, most: number, least = 1): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) {
    return value as number
  }
  throw new ValidationError(
    'KRON_PARAMETER_RANGE',
    `${field} must be a whole number from ${least} to ${most}, got ${quote(value)}`,
    { field, value, allowed: `an integer from ${least} to ${most}` },
  )
}

function alreadyAdvancing(): SchedulingError {
  return new SchedulingError(
    'KRON_CLOCK_BUSY',
    'the virtual clock can be advanced by one caller at a time; await the earlier call first',
    { field: 'clock', value: 'advancing', allowed: 'one call at a time' },
  )
}

/** Epoch milliseconds of a date or number; throws unless whole and within the range of dates. */
function epochMs(value: unknown, field: string): number {
  const ms = value instanceof Date ? value.getTime() : value
  checkInstant(ms, field)
  return ms
}
