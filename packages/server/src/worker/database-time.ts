/** Clocks of machines run apart by less than this part of the time that passes. */
const drift = 0.0002

/**
 * What time it is at the database, by this machine's stopwatch. The clock on the wall is never
 * asked: workers whose clocks differ would claim early and hold leases for too long.
 *
 * An answer that left the database between `sentAt` and `receivedAt` bounds its clock from both
 * sides. Of several answers the narrowest bounds count, until drift has widened them.
 */
export class DatabaseTime {
  readonly #elapsed: () => number
  /** Database time minus elapsed time lies between these, as seen at `#at`. */
  #least = Number.NEGATIVE_INFINITY
  #most = Number.POSITIVE_INFINITY
  #at = 0

  /** `elapsed` counts milliseconds and is never set back. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
  }

  observe(now: number, sentAt: number, receivedAt: number): void {
    const minSeen = now - receivedAt
    // The answer is in whole milliseconds, cut off.
    const maxSeen = now + 1 - sentAt + (receivedAt - sentAt) * drift
    const widened = this.#widenedAt(receivedAt)
    const least = Math.max(minSeen, this.#least - widened)
    const most = Math.min(maxSeen, this.#most + widened)
    const isPossible = least <= most
    // The database's clock was set: what was known before no longer counts.
    this.#least = isPossible ? least : minSeen
    this.#most = isPossible ? most : maxSeen
    this.#at = receivedAt
  }

  /**
   * It is this time at least: by this nothing begins early. The drift since the last answer, some
   * tenths of a millisecond, is left out: it would make everything late by a millisecond.
   */
  get earliest(): number {
    return this.#least + this.#elapsed()
  }

  /** It is this time at most: by this nothing goes on for too long. */
  get latest(): number {
    const elapsed = this.#elapsed()
    return this.#most + this.#widenedAt(elapsed) + elapsed
  }

  #widenedAt(elapsed: number): number {
    return Math.max(0, elapsed - this.#at) * drift
  }
}
