const windowMs = 60_000
const maxPerWindow = 100

/** A failure that was logged, and how often it has come again since, which was not. */
interface Logged {
  readonly subject: string
  readonly reason: string
  again: number
}

/** What was counted instead of logged, in words. */
export interface Summary {
  readonly sentence: string
  readonly failures: number
}

/**
 * Keeps failures from flooding a log: in a minute each is logged once for its subject and reason,
 * and no more than a hundred altogether. The others are counted, and logged as numbers when the
 * minute is over, so that nothing is lost without a word.
 */
export class FailureQuota {
  readonly #logged = new Map<string, Logged>()
  #endsAt = Number.NEGATIVE_INFINITY
  #first: string | null = null
  #others = 0
  readonly #otherSubjects = new Set<string>()

  /** Whether to tell it; if not, it is counted. `summaries` of the same time comes before. */
  admits(subject: string, reason: string, now: number): boolean {
    if (now >= this.#endsAt) this.#endsAt = now + windowMs
    const key = `${subject}\n${reason}`
    const logged = this.#logged.get(key)
    if (logged !== undefined) {
      logged.again++
      return false
    }
    if (this.#logged.size < maxPerWindow) {
      this.#logged.set(key, { subject, reason, again: 0 })
      return true
    }
    this.#first ??= `${subject}: ${reason}`
    this.#otherSubjects.add(subject)
    this.#others++
    return false
  }

  /** What is left to log when the minute is over, or everything ends, or the clock was set back. */
  *summaries(now: number, isEnd = false): Generator<Summary> {
    // Ends of runs may be reported a little late, so a little before is not yet set back.
    const isOver = isEnd || now >= this.#endsAt || now < this.#endsAt - 2 * windowMs
    if (!isOver || this.#logged.size === 0) return
    for (const { subject, reason, again } of this.#logged.values()) {
      if (again === 0) continue
      const times = again === 1 ? 'once more' : `${again} more times`
      yield {
        sentence: `${subject} failed ${times} within a minute, for the same reason: ${reason}`,
        failures: again,
      }
    }
    if (this.#others > 0) yield this.#summaryOfOthers()
    this.#clear()
  }

  #summaryOfOthers(): Summary {
    const count = `${this.#others} more failures, of ${this.#otherSubjects.size} others`
    return {
      sentence:
        `${count}, came within a minute and were counted instead of logged; ` +
        `the first: ${this.#first}`,
      failures: this.#others,
    }
  }

  #clear(): void {
    this.#logged.clear()
    this.#otherSubjects.clear()
    this.#first = null
    this.#others = 0
    this.#endsAt = Number.NEGATIVE_INFINITY
  }
}
