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
import { type Lane, RequestLanes } from '../queue/index.js'
import { type ControllerOptions, LeadershipLost, NoLongerDue, type World } from './world.js'

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

  constructor(world: World, { maxRequests }: ControllerOptions, signal: AbortSignal) {
    this.#api = world.api
    this.#signal = signal
    this.#now = () => world.clock.now().getTime()
    const checkAllowed = (): void => {
      if (signal.aborted || !world.isLeading()) throw new LeadershipLost()
    }
    this.#lanes = new RequestLanes({ most: maxRequests, checkAllowed })
  }

  get waiting(): number {
    return this.#lanes.waiting
  }

  createJob(job: KubeObject, isStillDue: StillDue): Promise<KubeObject> {
    return this.#sendIf(isStillDue, (api) => api.create(jobs, job, this.#signal))
  }

  /** Whether a Job would be created, without creating it; answers what the server warns of. */
  tryJob(job: KubeObject): Promise<readonly string[]> {
    return this.#send('tidy', () => this.#api.tryCreate(jobs, job, this.#signal))
  }

  job(name: ObjectName): Promise<KubeObject> {
    return this.#send('start', () => this.#api.get(jobs, name, this.#signal))
  }

  /** For a period that waits for it. */
  replaceJob(name: ObjectName, uid: string, isStillDue: StillDue): Promise<void> {
    const options: DeleteOptions = { propagation: 'Foreground', uid }
    return unlessGone(
      this.#sendIf(isStillDue, (api) => api.delete(jobs, name, options, this.#signal)),
    )
  }

  pruneJob(name: ObjectName, uid: string): Promise<void> {
    const options: DeleteOptions = { propagation: 'Background', uid }
    const prune = () => this.#api.delete(jobs, name, options, this.#signal)
    return unlessGone(this.#send('tidy', prune))
  }

  kronJob(name: ObjectName): Promise<KubeObject> {
    return this.#send('record', () => this.#api.get(kronJobs, name, this.#signal))
  }

  patchStatus(name: ObjectName, patch: object): Promise<KubeObject> {
    const options = { subresource: 'status' } as const
    return this.#send('record', () => this.#api.patch(kronJobs, name, patch, options, this.#signal))
  }

  async createEvent(event: KubeObject): Promise<void> {
    await this.#send('event', () => this.#api.create(events, event, this.#signal))
  }

  /**
   * A request that had to wait, for its turn among others or for a connection, is judged again, so
   * that nothing is started, or ended, for a period that is over.
   */
  #sendIf<T>(isStillDue: StillDue, request: (api: KubeApi) => Promise<T>): Promise<T> {
    const check = (): void => {
      if (!isStillDue()) throw new NoLongerDue()
    }
    return this.#send('start', (hasWaited) => {
      if (hasWaited) check()
      const handedOverAt = this.#now()
      const guard = (): void => {
        if (this.#now() - handedOverAt >= waitMs) check()
      }
      return request(this.#api.guardedBy?.(guard) ?? this.#api)
    })
  }

  async #send<T>(lane: Lane, request: (hasWaited: boolean) => Promise<T>): Promise<T> {
    try {
      return await this.#lanes.through(lane, request)
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
