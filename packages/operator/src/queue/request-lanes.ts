/**
 * What a request is for, most urgent first. A Job that is due is late by everything before it, so
 * what tells of it waits until no other is due.
 */
export const lanes = ['start', 'record', 'event', 'tidy'] as const
export type Lane = (typeof lanes)[number]

interface Waiting {
  readonly begin: () => void
}

export interface LaneOptions {
  /** Requests at once. */
  readonly most: number
  /** Throws if no request may be made any more; asked at the moment when one would be sent. */
  readonly checkAllowed: () => void
}

/** Of all requests at once, these are kept for what is not a start, so that nothing stands still. */
const keptForOthers = 2

/** Lets requests to the API server through: a few at a time, the most urgent first. */
export class RequestLanes {
  readonly #options: LaneOptions
  readonly #waiting: Record<Lane, Waiting[]> = { start: [], record: [], event: [], tidy: [] }
  #underWay = 0
  #starts = 0

  constructor(options: LaneOptions) {
    this.#options = options
  }

  get waiting(): number {
    return lanes.reduce((sum, lane) => sum + this.#waiting[lane].length, 0)
  }

  async through<T>(lane: Lane, request: () => Promise<T>): Promise<T> {
    if (!this.#hasRoom(lane)) {
      await new Promise<void>((resolve) => this.#waiting[lane].push({ begin: resolve }))
    } else this.#enter(lane)
    try {
      this.#options.checkAllowed()
      return await request()
    } finally {
      this.#leave(lane)
    }
  }

  #hasRoom(lane: Lane): boolean {
    const { most } = this.#options
    if (this.#underWay >= most) return false
    if (lane === 'start') return this.#starts < Math.max(1, most - keptForOthers)
    // While starts wait or are under way, others have only what is kept for them.
    return this.#starts === 0 || this.#underWay - this.#starts < keptForOthers
  }

  #enter(lane: Lane): void {
    this.#underWay++
    if (lane === 'start') this.#starts++
  }

  #leave(lane: Lane): void {
    this.#underWay--
    if (lane === 'start') this.#starts--
    for (const next of lanes) {
      while (this.#waiting[next].length > 0 && this.#hasRoom(next)) {
        this.#enter(next)
        this.#waiting[next].shift()!.begin()
      }
    }
  }
}
