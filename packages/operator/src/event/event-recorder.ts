import { type Backoff, backoffMs, type Clock } from '@kron/runtime'
import type { KronJob } from '../kronjob/index.js'
import { ApiFailure, hasStatus, type KubeObject } from '../kube/index.js'
import { eventObject, type KronEvent } from './kron-event.js'

export interface EventRecorderOptions {
  readonly create: (event: KubeObject) => Promise<void>
  readonly clock: Clock
  /** Which controller records the events. */
  readonly instance: string
  readonly onFailure: (error: unknown, event: KronEvent, kronJob: KronJob) => void
  readonly signal: AbortSignal
}

const maxTries = 4
const backoff: Backoff = { firstMs: 250, maxMs: 1000 }

/** Records events, each once. They are for people: one that fails several times is only logged. */
export class EventRecorder {
  readonly #options: EventRecorderOptions

  constructor(options: EventRecorderOptions) {
    this.#options = options
  }

  async record(kronJob: KronJob, event: KronEvent): Promise<void> {
    const { create, clock, instance, signal } = this.#options
    const object = eventObject(kronJob, event, clock.now().getTime(), instance)
    for (let tried = 1; ; tried++) {
      try {
        return await create(object)
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error
        // The event exists already, from us or from another controller.
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
