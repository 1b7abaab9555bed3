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

  /** Watching begins with the minute of this instant, after a start or a step of the clock. */
  beginAt(instant: number): void {
    const minute = instant - (instant % msPerMinute)
    const around = this.#stretches.find(
      ([from, to, lastTaskId]) => from <= minute && minute <= to && lastTaskId === this.lastTaskId,
    )
    this.#current = around ?? [minute, minute, this.lastTaskId]
    if (around === undefined) this.#stretches.push(this.#current)
    if (this.#stretches.length > mostStretches) this.#stretches.shift()
  }

  /** Watching has gone on until here. */
  reach(instant: number): void {
    if (this.#current !== null && instant > this.#current[1]) this.#current[1] = instant
  }

  /** Whether later instants have been watched: then this one comes for the second time. */
  isBeyond(instant: number): boolean {
    return this.#stretches.some(([, to]) => to > instant)
  }

  has(instant: number, taskId: number): boolean {
    return this.#stretches.some(
      ([from, to, lastTaskId]) => from <= instant && instant <= to && taskId <= lastTaskId,
    )
  }

  toString(): string {
    return JSON.stringify({ lastTaskId: this.lastTaskId, stretches: this.#stretches })
  }
}

function isStretch(value: unknown): value is Stretch {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite)
}
