/** What a target answers. 2xx and 3xx are successes, 429 asks for rest, the rest is an outage. */
export interface Answer {
  readonly status: number
  readonly durationMs: number
  readonly retryAfterMs?: number
  readonly etag?: string
  readonly body?: string
}

/** One target, from 0 to the end of its days. */
export interface Target {
  /** When the resource changes, in order. */
  readonly changes: readonly number[]
  /** Changes a millisecond that are to be expected at an instant: for the oracle. */
  rate?(at: number): number
  /** Asked in the order of time, since a target may count. */
  respond(at: number): Answer
}

/** A kind of target, and what its owner said of the endpoint that calls it. */
export interface World {
  readonly name: string
  /** Worlds of one family are shown together. */
  readonly family?: string
  readonly days: number
  readonly baselineMs: number
  readonly minIntervalMs: number
  readonly maxIntervalMs: number
  /** Instead of the interval; `baselineMs` is then the mean time between its occurrences. */
  readonly cron?: string
  readonly timezone?: string
  /** Calls a month of the calendar. */
  readonly quota?: number
  make(seed: number): Target
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Policies learn until then, and nothing counts. */
export const countedFromMs = 4 * dayMs

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 400

export const isLimited = ({ status, retryAfterMs }: Answer): boolean =>
  status === 429 || (status === 503 && retryAfterMs !== undefined)

export const isDown = (answer: Answer): boolean => !isSuccess(answer) && !isLimited(answer)
