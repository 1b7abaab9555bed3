import {
  type DeleteOptions,
  events,
  hasStatus,
  jobs,
  type KubeApi,
  type KubeObject,
  kronJobs,
  type ObjectName,
} from '../kube/index.js'
import { type Lane, RequestLanes } from '../queue/index.js'
import { type ControllerOptions, LeadershipLost, type World } from './world.js'

/** The requests that a controller makes, each in its lane and only while it leads. */
export class Requests {
  readonly #api: KubeApi
  readonly #lanes: RequestLanes
  readonly #signal: AbortSignal

  constructor(world: World, { mostRequests }: ControllerOptions, signal: AbortSignal) {
    this.#api = world.api
    this.#signal = signal
    const checkAllowed = (): void => {
      if (signal.aborted || !world.isLeading()) throw new LeadershipLost()
    }
    this.#lanes = new RequestLanes({ most: mostRequests, checkAllowed })
  }

  get waiting(): number {
    return this.#lanes.waiting
  }

  createJob(job: KubeObject): Promise<KubeObject> {
    return this.#send('start', () => this.#api.create(jobs, job, this.#signal))
  }

  job(name: ObjectName): Promise<KubeObject> {
    return this.#send('start', () => this.#api.get(jobs, name, this.#signal))
  }

  /** For a period that waits for it. */
  replaceJob(name: ObjectName, uid: string): Promise<void> {
    return this.#delete('start', name, { propagation: 'Foreground', uid })
  }

  pruneJob(name: ObjectName, uid: string): Promise<void> {
    return this.#delete('tidy', name, { propagation: 'Background', uid })
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

  /** Gone already is as good. */
  async #delete(lane: Lane, name: ObjectName, options: DeleteOptions): Promise<void> {
    try {
      await this.#send(lane, () => this.#api.delete(jobs, name, options, this.#signal))
    } catch (error) {
      if (!hasStatus(error, 404)) throw error
    }
  }

  async #send<T>(lane: Lane, request: () => Promise<T>): Promise<T> {
    try {
      return await this.#lanes.through(lane, request)
    } catch (error) {
      // A request that is cut off with the term is not a failure of the API server.
      throw this.#signal.aborted ? new LeadershipLost() : error
    }
  }
}
