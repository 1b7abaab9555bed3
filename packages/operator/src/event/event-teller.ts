import { type Backoff, backoffMs, type Clock } from '@kron/runtime'
import type { KronJob } from '../kronjob/index.js'
import { ApiFailure, hasStatus, type KubeObject } from '../kube/index.js'
import { eventObject, type KronEvent } from './kron-event.js'

export interface EventTellerOptions {
  readonly create: (event: KubeObject) => Promise<void>
  readonly clock: Clock
  /** Which controller tells it. */
  readonly instance: string
  readonly onFailure: (error: unknown, event: KronEvent, kronJob: KronJob) => void
  readonly signal: AbortSignal
}

const maxTries = 4
const backoff: Backoff = { firstMs: 250, maxMs: 1000 }

/** Tells events, each once. They are for people: what can't be told in some tries is logged. */
export class EventTeller {
  readonly #options: EventTellerOptions

  constructor(options: EventTellerOptions) {
    this.#options = options
  }

  async tell(kronJob: KronJob, event: KronEvent): Promise<void> {
    const { create, clock, instance, signal } = this.#options
    const object = eventObject(kronJob, event, clock.now().getTime(), instance)
    for (let tried = 1; ; tried++) {
      try {
        return await create(object)
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error
        // It has been told, by us or by another.
        if (hasStatus(error, 409) && error.reason === 'AlreadyExists') return
        if (tried === maxTries || hasStatus(error, 400, 403, 404, 422)) {
          return this.#options.onFailure(error, event, kronJob)
        }
        const delayMs = Math.max(backoffMs(backoff, tried), error.retryAfterMs ?? 0)
        await clock.sleep(delayMs, signal)
      }
    }
  }
}
