/** From, to, and the last task that was there: ids grow, and those up to it were watched as well. */
type Stretch = [from: number, to: number, lastTaskId: number]

const mostStretches = 16
const msPerMinute = 60_000

/**
 * Stretches of wall-clock time through which the schedulers of a storage have watched the clock. A
 * minute in one of them has been handled by every task that was there; one outside was jumped over,
 * or is still to come. That matters when the clock is set back, and minutes come a second time.
 */
export class WatchedTime {
  /** The greatest id that was ever given to a task. */
  lastTaskId: number
  readonly #stretches: Stretch[]
  #current: Stretch | null = null

  constructor(lastTaskId = -1, stretches: readonly Stretch[] = []) {
    this.lastTaskId = lastTaskId
    this.#stretches = [...stretches]
  }

  /** Of text that `toString` made. What can't be read is nothing: it only matters on clock steps. */
  static parse(text: string | null): WatchedTime {
    try {
      const { lastTaskId, stretches } = JSON.parse(text ?? '') as Record<string, unknown>
      if (Number.isSafeInteger(lastTaskId) && Array.isArray(stretches)) {
        return new WatchedTime(lastTaskId as number, stretches.filter(isStretch))
      }
    } catch {
      // As nothing, like text of another form.
    }
    return new WatchedTime()
  }

  /**
   * Watching begins with the minute of this instant, after a start or a step of the clock. If it is
   * the minute in which it was interrupted, it goes on.
   */
  beginAt(instant: number): void {
    const minute = minuteOf(instant)
    const last = this.#stretches.at(-1)
    const goesOn = last !== undefined && last[2] === this.lastTaskId && minute === minuteOf(last[1])
    this.#current = goesOn ? last : [minute, minute, this.lastTaskId]
    if (!goesOn) this.#stretches.push(this.#current)
    if (this.#stretches.length > mostStretches) this.#stretches.shift()
  }

  /** Watching has gone on until here. */
  reach(instant: number): void {
    if (this.#current !== null && instant > this.#current[1]) this.#current[1] = instant
  }

  /** Whether any task may have been there. */
  hasForSome(instant: number): boolean {
    return this.has(instant, Number.NEGATIVE_INFINITY)
  }

  has(instant: number, taskId: number): boolean {
    return this.#stretches.some((stretch) => covers(stretch, instant, taskId))
  }

  /**
   * If the clock was set back to before this instant after it had been watched: from when on its
   * surroundings came twice. Without such a step it says little that it was watched, since what was
   * due may have been cut off by a stop or a crash.
   */
  earlierPass(instant: number, taskId: number): number | null {
    const first = this.#stretches.findIndex((stretch) => covers(stretch, instant, taskId))
    if (first < 0) return null
    const setBackTo = Math.min(...this.#stretches.slice(first + 1).map(([from]) => from))
    return setBackTo <= instant ? Math.max(setBackTo, this.#stretches[first]![0]) : null
  }

  toString(): string {
    return JSON.stringify({ lastTaskId: this.lastTaskId, stretches: this.#stretches })
  }
}

const minuteOf = (instant: number): number => instant - (instant % msPerMinute)

function covers([from, to, lastTaskId]: Stretch, instant: number, taskId: number): boolean {
  return from <= instant && instant <= to && taskId <= lastTaskId
}

function isStretch(value: unknown): value is Stretch {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite)
}
