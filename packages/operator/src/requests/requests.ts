import type { Clock } from '@kron/runtime'
import {
  type DeleteOptions,
  events,
  type GuardableKubeApi,
  hasStatus,
  jobs,
  type KubeApi,
  type KubeObject,
  kronJobs,
  type ObjectName,
} from '../kube/index.js'
import { type Lane, RequestLanes } from './request-lanes.js'

/** Thrown where a request would be made without the lease; never logged as a failure. */
export class LeadershipLost extends Error {
  override readonly name = 'LeadershipLost'
}

/** Thrown where a request has waited until nobody wants it any more: nothing was sent. */
export class NoLongerDue extends Error {
  override readonly name = 'NoLongerDue'
}

export interface RequestPorts {
  readonly api: GuardableKubeApi
  readonly clock: Clock
  /** Asked before each request: a lease may have ended in the meantime. */
  readonly isLeading: () => boolean
}

/** Whether a request for a period is still to be made; asked when it would be sent. */
export type StillDue = () => boolean

/** Less than that is the work of sending, more is a wait for a connection. */
const waitMs = 1000

/** The requests that a controller makes, each in its lane and only while it leads. */
export class Requests {
  readonly #api: GuardableKubeApi
  readonly #lanes: RequestLanes
  readonly #signal: AbortSignal
  readonly #now: () => number

  /** So many at once, until the signal. */
  constructor(ports: RequestPorts, maxRequests: number, signal: AbortSignal) {
    this.#api = ports.api
    this.#signal = signal
    this.#now = () => ports.clock.now().getTime()
    const checkAllowed = (): void => {
      if (signal.aborted || !ports.isLeading()) throw new LeadershipLost()
    }
    this.#lanes = new RequestLanes({ maxRequests, checkAllowed })
  }

  get waiting(): number {
    return this.#lanes.waiting
  }

  createJob(job: KubeObject, isStillDue: StillDue): Promise<KubeObject> {
    return this.#send('start', (api) => api.create(jobs, job, this.#signal), isStillDue)
  }

  /** Whether a Job would be created, without creating it; answers what the server warns of. */
  tryJob(job: KubeObject): Promise<readonly string[]> {
    return this.#send('tidy', (api) => api.tryCreate(jobs, job, this.#signal))
  }

  job(name: ObjectName): Promise<KubeObject> {
    return this.#send('start', (api) => api.get(jobs, name, this.#signal))
  }

  /** For a period that waits for it. */
  replaceJob(name: ObjectName, uid: string, isStillDue: StillDue): Promise<void> {
    const options: DeleteOptions = { propagation: 'Foreground', uid }
    const replace = (api: KubeApi) => api.delete(jobs, name, options, this.#signal)
    return unlessGone(this.#send('start', replace, isStillDue))
  }

  pruneJob(name: ObjectName, uid: string): Promise<void> {
    const options: DeleteOptions = { propagation: 'Background', uid }
    return unlessGone(this.#send('tidy', (api) => api.delete(jobs, name, options, this.#signal)))
  }

  kronJob(name: ObjectName): Promise<KubeObject> {
    return this.#send('record', (api) => api.get(kronJobs, name, this.#signal))
  }

  patchStatus(name: ObjectName, patch: object): Promise<KubeObject> {
    const options = { subresource: 'status' } as const
    return this.#send('record', (api) => api.patch(kronJobs, name, patch, options, this.#signal))
  }

  async createEvent(event: KubeObject): Promise<void> {
    await this.#send('event', (api) => api.create(events, event, this.#signal))
  }

  /**
   * A request for a period that had to wait, for its turn among others or for a connection, is judged
   * again, so that nothing is started, or ended, for a period that is over.
   */
  async #send<T>(
    lane: Lane,
    request: (api: KubeApi) => Promise<T>,
    isStillDue?: StillDue,
  ): Promise<T> {
    try {
      return await this.#lanes.through(lane, (hasWaited) => {
        if (isStillDue === undefined) return request(this.#api)
        const check = (): void => {
          if (!isStillDue()) throw new NoLongerDue()
        }
        if (hasWaited) check()
        const handedOverAt = this.#now()
        const guard = (): void => {
          if (this.#now() - handedOverAt >= waitMs) check()
        }
        return request(this.#api.guardedBy?.(guard) ?? this.#api)
      })
    } catch (error) {
      // A request that is cut off with the term is not a failure of the API server.
      throw this.#signal.aborted ? new LeadershipLost() : error
    }
  }
}

async function unlessGone(deletion: Promise<void>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!hasStatus(error, 404)) throw error
  }
}
