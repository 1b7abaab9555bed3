import type { KronJobStatus } from '../kronjob/index.js'

/** So many times in a row a status is set right at once, if somebody has changed it. */
const maxAtOnce = 5
const pauseMs = 1000

/**
 * Two controllers that both believe they lead, one of which has not heard of a Job yet, would undo
 * each other's status for as long, as fast as the API server answers. This slows them down.
 */
export class StatusDispute {
  #written: KronJobStatus | undefined
  #count = 0
  #lastAt = Number.NEGATIVE_INFINITY

  /** What we wrote last. */
  wrote(status: KronJobStatus | undefined): void {
    this.#written = status
  }

  /** How long to wait before a patch is sent: none unless it only sets back what we wrote before. */
  pauseMs(patch: Readonly<Record<string, unknown>>, now: number): number {
    if (!this.#isUndone(patch)) return 0
    const sinceLast = Math.abs(now - this.#lastAt)
    if (sinceLast > 2 * pauseMs) this.#count = 0
    if (this.#count >= maxAtOnce && sinceLast < pauseMs) return pauseMs - sinceLast
    this.#count++
    this.#lastAt = now
    return 0
  }

  #isUndone(patch: Readonly<Record<string, unknown>>): boolean {
    if (this.#written === undefined) return false
    const written: Readonly<Record<string, unknown>> = { ...this.#written }
    const isAsWritten = ([field, value]: [string, unknown]): boolean =>
      JSON.stringify(value) === JSON.stringify(written[field] ?? null)
    return Object.entries(patch).every(isAsWritten)
  }
}
