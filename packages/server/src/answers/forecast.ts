import { DueHeap } from '@kron/runtime'
import type { Plan } from '../domain/index.js'
import { type CompiledEndpoint, noQuota } from '../scheduling/index.js'
import { FollowedEndpoint } from './followed-endpoint.js'

export interface ForecastMinute {
  /** Its beginning. */
  readonly minute: number
  readonly runs: number
  /** Runs in the busiest second of the minute. */
  readonly peakSecond: number
  /** The limit of a forecast was reached before the end of this minute: there are more runs. */
  readonly truncated: boolean
}

/** Plans that one forecast follows at most. */
const maxForecastRuns = 100_000

/** Plans of one step, which takes some milliseconds. */
const plansPerStep = 250

/** What a forecast is about. */
interface ForecastSpan {
  /** What is planned now is followed from here on. */
  readonly now: number
  /** The runs from here on are counted. */
  readonly from: number
  readonly minutes: number
}

/**
 * How many runs start in each minute from the one of `from`, by what is planned now. Endpoints are
 * followed together in the order of time, so that they share the quota as they will, and that a
 * forecast that reaches its limit is right up to a minute, and says from which one on it is not.
 */
export function forecast(...given: Parameters<typeof forecastInSteps>): readonly ForecastMinute[] {
  const steps = forecastInSteps(...given)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** The same with a pause after each step, in which others may have their turn. */
export function* forecastInSteps(
  endpoints: readonly { readonly plan: Plan; readonly compiled: CompiledEndpoint }[],
  { now, from, minutes }: ForecastSpan,
  allowance = noQuota(),
  maxRuns = maxForecastRuns,
): Generator<undefined, readonly ForecastMinute[]> {
  const counts = new MinuteCounts(Math.floor(from / 60_000), minutes)
  const due = new DueHeap<FollowedEndpoint>()
  const follow = (endpoint: FollowedEndpoint): void => {
    if (endpoint.dueAt !== null && endpoint.dueAt < counts.end) due.set(endpoint, endpoint.dueAt)
  }
  for (const [index, { plan, compiled }] of endpoints.entries()) {
    follow(new FollowedEndpoint(plan, compiled, now))
    if (index % plansPerStep === plansPerStep - 1) yield
  }
  let followed = 0
  for (let next = due.pop(); next !== undefined; next = due.pop()) {
    if (followed === maxRuns) return counts.truncatedFrom(next.due)
    followed++
    if (followed % plansPerStep === 0) yield
    const { key: endpoint, due: at } = next
    const hold = endpoint.isRun ? allowance.holdAt(endpoint.startsAt) : null
    if (hold !== null) endpoint.waitFor(hold)
    else {
      if (endpoint.isRun) allowance.take(endpoint.startsAt)
      if (endpoint.isRun && at >= from) counts.add(at)
      endpoint.advance()
      // With a quota, runs before the beginning have to be known as well.
      if (allowance.isUnlimited) endpoint.skipTo(from)
    }
    follow(endpoint)
  }
  return counts.truncatedFrom(counts.end)
}

/** Counts runs that come in the order of time. */
class MinuteCounts {
  readonly end: number
  readonly #first: number
  readonly #runs: Uint32Array
  readonly #peaks: Uint32Array
  #second = Number.NaN
  #inSecond = 0

  constructor(firstMinute: number, minutes: number) {
    this.#first = firstMinute
    this.end = (firstMinute + minutes) * 60_000
    this.#runs = new Uint32Array(minutes)
    this.#peaks = new Uint32Array(minutes)
  }

  add(instant: number): void {
    const second = Math.floor(instant / 1000)
    this.#inSecond = second === this.#second ? this.#inSecond + 1 : 1
    this.#second = second
    const index = Math.floor(instant / 60_000) - this.#first
    this.#runs[index]! += 1
    this.#peaks[index] = Math.max(this.#peaks[index]!, this.#inSecond)
  }

  truncatedFrom(instant: number): readonly ForecastMinute[] {
    return Array.from(this.#runs, (runs, index) => {
      const minute = (this.#first + index) * 60_000
      const truncated = minute + 60_000 > instant
      return { minute, runs, peakSecond: this.#peaks[index]!, truncated }
    })
  }
}
