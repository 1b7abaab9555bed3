/**
 * What a request is for, most urgent first. A Job that is due is late by everything before it, so
 * statuses and events wait until no other Job is due.
 */
export const lanes = ['start', 'record', 'event', 'tidy'] as const
export type Lane = (typeof lanes)[number]

interface Waiting {
  readonly begin: () => void
}

export interface LaneOptions {
  /** Requests at once. */
  readonly maxRequests: number
  /** Throws if no request may be made any more; asked at the moment when one would be sent. */
  readonly checkAllowed: () => void
}

/** While starts wait, one other request goes for so many of them, so that nothing stands still. */
const startsForAnother = 50

/** Lets requests to the API server through: a few at a time, the most urgent first. */
export class RequestLanes {
  readonly #options: LaneOptions
  readonly #waiting: Record<Lane, Waiting[]> = { start: [], record: [], event: [], tidy: [] }
  #underWay = 0
  /** Since another request went although starts waited. */
  #starts = 0

  constructor(options: LaneOptions) {
    this.#options = options
  }

  get waiting(): number {
    return lanes.reduce((sum, lane) => sum + this.#waiting[lane].length, 0)
  }

  /** The request learns whether it had to wait for its turn. */
  async through<T>(lane: Lane, request: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const hasWaited = !this.#hasRoom(lane)
    if (hasWaited) {
      await new Promise<void>((resolve) => this.#waiting[lane].push({ begin: resolve }))
    } else this.#enter(lane)
    try {
      this.#options.checkAllowed()
      return await request(hasWaited)
    } finally {
      this.#leave()
    }
  }

  #hasRoom(lane: Lane): boolean {
    if (this.#underWay >= this.#options.maxRequests) return false
    if (lane === 'start' || this.#waiting.start.length === 0) return true
    return this.#starts >= startsForAnother
  }

  #enter(lane: Lane): void {
    this.#underWay++
    this.#starts = lane === 'start' ? this.#starts + 1 : 0
  }

  #leave(): void {
    this.#underWay--
    while (this.#underWay < this.#options.maxRequests) {
      const lane = this.#nextLane()
      if (lane === undefined) return
      this.#enter(lane)
      this.#waiting[lane].shift()!.begin()
    }
  }

  #nextLane(): Lane | undefined {
    const waiting = lanes.filter((lane) => this.#waiting[lane].length > 0)
    const another = waiting.find((lane) => lane !== 'start')
    return this.#starts >= startsForAnother ? (another ?? waiting[0]) : waiting[0]
  }
}
