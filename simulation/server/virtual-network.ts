import type { Clock } from '@kron/runtime'
import type {
  Dispatcher,
  ExchangeRequest,
  ExchangeResult,
  Stop,
} from '../../packages/server/src/dispatch/index.js'
import type { Random } from '../random.js'
import type { Weather } from './scenario.js'

/** One request that reached the target, by the target's own clock. */
export interface Arrival {
  readonly runId: string
  readonly attempt: number
  readonly at: number
}

/** Targets that answer after a while, or not in time. */
export class VirtualNetwork {
  readonly arrivals: Arrival[] = []
  readonly #clock: Clock
  readonly #random: Random
  readonly #weather: Weather

  constructor(clock: Clock, random: Random, weather: Weather) {
    this.#clock = clock
    this.#random = random
    this.#weather = weather
  }

  /** The way to it for one worker; once that is dead nothing is sent and no answer arrives. */
  dispatcher(isDead: () => boolean): Dispatcher {
    return {
      waiting: 0,
      send: (request, stop) =>
        isDead() ? new Promise(() => undefined) : this.#exchange(request, stop, isDead),
      close: async () => undefined,
    }
  }

  async #exchange(
    { headers, timeoutMs }: ExchangeRequest,
    stop: Stop,
    isDead: () => boolean,
  ): Promise<ExchangeResult> {
    const startedAt = this.#now()
    const result = { headers: {}, body: new Uint8Array(), truncated: false, startedAt }
    const none = { ...result, httpStatus: null }
    if (stop.isStopped) return cancelled(none, startedAt)
    const runId = headers['kron-run-id']!
    this.arrivals.push({ runId, attempt: Number(headers['kron-attempt']), at: startedAt })
    const takesMs = this.#random.between(0, this.#weather.slowestMs)
    const isFailing = this.#random.chance(this.#weather.failing)
    try {
      await this.#clock.sleep(Math.min(takesMs, timeoutMs), stop.signal)
    } catch {
      return cancelled(none, this.#now())
    }
    if (isDead()) return new Promise(() => undefined)
    const endedAt = this.#now()
    if (takesMs > timeoutMs) {
      return { ...none, status: 'timeout', endedAt, error: { code: 'timeout', message: 'slow' } }
    }
    const httpStatus = isFailing ? 500 : 200
    return {
      ...result,
      body: content(runId, startedAt),
      status: isFailing ? 'failure' : 'success',
      httpStatus,
      endedAt,
      error: null,
    }
  }

  #now(): number {
    return this.#clock.now().getTime()
  }
}

/** What a target says changes every few seconds or minutes, in each endpoint's own time. */
function content(runId: string, at: number): Uint8Array {
  const periodMs = 2_000 * 2 ** (runId.charCodeAt(29) % 6)
  return Buffer.from(String(Math.floor(at / periodMs)))
}

type Unanswered = Omit<ExchangeResult, 'status' | 'endedAt' | 'error'>

function cancelled(none: Unanswered, endedAt: number): ExchangeResult {
  return { ...none, status: 'cancelled', endedAt, error: { code: 'cancelled', message: 'aborted' } }
}
