import { type MinuteSpan, MinuteSpans, minuteOf } from './minute-spans.js'

const maxSpans = 128

/**
 * Through which minutes of wall-clock time the schedulers of a storage have watched the clock. One
 * of them has been handled by every task that was there; any other was jumped over, or is still to
 * come. That matters when the clock is set back, and minutes come a second time.
 *
 * It is written with each start, in the same transaction, so a minute that has run is on disk as
 * watched before its callback is called. Dying before that: nothing has run.
 */
export class WatchedTime {
  /** The greatest id that was ever given to a task. */
  lastTaskId: number
  readonly #watched = new MinuteSpans(maxSpans)
  /** Minutes that were watched, and to which or before which the clock was set back after that. */
  readonly #cameAgain = new MinuteSpans(maxSpans)
  /** Where watching is, or was when this was written. */
  #latest: { minute: number; readonly lastTaskId: number } | null = null
  #isWatching = false

  constructor(lastTaskId = -1) {
    this.lastTaskId = lastTaskId
  }

  /**
   * Of text that `toString` wrote. What can't be read is nothing: it only matters on clock steps.
   * Earlier versions wrote all `stretches` in the order in which they came, and nothing else.
   */
  static parse(text: string | null): WatchedTime {
    try {
      const stored = JSON.parse(text ?? '') as Record<string, unknown>
      const { lastTaskId, stretches, cameAgain, latest } = stored
      if (!Number.isSafeInteger(lastTaskId) || !Array.isArray(stretches)) return new WatchedTime()
      const watched = new WatchedTime(lastTaskId as number)
      for (const stretch of stretches.filter(isSpan)) watched.#pass(stretch, latest === undefined)
      if (Array.isArray(cameAgain)) addAll(watched.#cameAgain, cameAgain.filter(isSpan))
      if (isSpan(latest)) watched.#latest = { minute: latest[1], lastTaskId: latest[2] }
      return watched
    } catch {
      return new WatchedTime()
    }
  }

  /** No minute after this one has been watched. */
  get end(): number {
    return this.#watched.end
  }

  /**
   * Watching begins with the minute of this instant, after a start or a step of the clock. If it is
   * the minute in which it was interrupted, it goes on.
   */
  beginAt(instant: number): void {
    const minute = minuteOf(instant)
    const { lastTaskId } = this
    const goesOn = this.#latest?.minute === minute && this.#latest.lastTaskId === lastTaskId
    if (!goesOn) addAll(this.#cameAgain, this.#watched.from(minute))
    this.#watched.add(minute, minute, lastTaskId)
    this.#latest = { minute, lastTaskId }
    this.#isWatching = true
  }

  /** Watching has gone on until here. */
  reach(instant: number): void {
    const latest = this.#latest
    const minute = minuteOf(instant)
    if (!this.#isWatching || latest === null || minute <= latest.minute) return
    this.#watched.add(latest.minute, minute, latest.lastTaskId)
    latest.minute = minute
  }

  has(instant: number, taskId: number): boolean {
    return this.#watched.has(instant, taskId)
  }

  /**
   * If the clock was set back to before this instant after it had been watched: from when on its
   * surroundings came twice. Without such a step it says little that it was watched, since what was
   * due may have been cut off by a stop or a crash.
   */
  earlierPass(instant: number, taskId: number): number | null {
    return this.#cameAgain.startOf(instant, taskId)
  }

  toString(): string {
    const { lastTaskId } = this
    const latest = this.#latest
    return JSON.stringify({
      lastTaskId,
      stretches: this.#watched.spans,
      cameAgain: this.#cameAgain.spans,
      latest: latest === null ? null : [latest.minute, latest.minute, latest.lastTaskId],
    })
  }

  #pass([from, to, lastTaskId]: MinuteSpan, isInOrder: boolean): void {
    if (isInOrder) {
      addAll(this.#cameAgain, this.#watched.from(from))
      this.#latest = { minute: minuteOf(to), lastTaskId }
    }
    this.#watched.add(from, to, lastTaskId)
  }
}

function addAll(spans: MinuteSpans, added: readonly MinuteSpan[]): void {
  for (const [from, to, lastTaskId] of added) spans.add(from, to, lastTaskId)
}

function isSpan(value: unknown): value is MinuteSpan {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite)
}
