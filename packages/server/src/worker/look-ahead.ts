import type { Claim } from '../store/index.js'

export interface LookAheadLimits {
  /** How far ahead runs are claimed: what a worker has claimed and not sent is lost with it. */
  readonly withinMs: number
  /** Endpoints whose claims may take longer than that. */
  readonly crowd: number
  /** How far ahead claims look when so many are near. */
  readonly crowdWithinMs: number
  /** The longest sleep: a signal may get lost. */
  readonly pollMs: number
}

/** Something was in sight that could not be claimed: another worker has it, or its time is near. */
const soonestPollMs = 20

/** How far ahead the next claim looks, and when it comes. */
export class LookAhead {
  readonly #limits: LookAheadLimits
  #withinMs: number

  constructor(limits: LookAheadLimits) {
    this.#limits = limits
    this.#withinMs = limits.withinMs
  }

  get withinMs(): number {
    return this.#withinMs
  }

  /** The time from a claim to the next one. */
  sleepAfter({ now, full, nextWakeAt, nextCrowdAt }: Claim): number {
    const { withinMs, crowdWithinMs, pollMs } = this.#limits
    const lookedAt = this.#withinMs
    const isNear = nextCrowdAt !== null && nextCrowdAt <= now + crowdWithinMs
    // To the end of the crowd: its last part is no crowd any more.
    const goesOn = full && lookedAt === crowdWithinMs
    this.#withinMs = isNear || goesOn ? crowdWithinMs : withinMs
    if (full || this.#withinMs > lookedAt) return 0
    return Math.min(
      pollMs,
      untilSeen(nextWakeAt, now, withinMs),
      untilSeen(nextCrowdAt, now, crowdWithinMs),
    )
  }
}

function untilSeen(at: number | null, now: number, withinMs: number): number {
  if (at === null) return Number.POSITIVE_INFINITY
  const isInSight = at <= now + withinMs
  return isInSight ? Math.max(at - now, soonestPollMs) : at - withinMs - now
}
