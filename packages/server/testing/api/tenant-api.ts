import type { VirtualClock } from '@kron/runtime/testing'
import type { Store } from '../../src/store/index.js'
import { ApiWorld, type Reply, type Send, type TestTenant } from './api-world.js'
import { newJob } from './sample.js'
import { TestWorker } from './worker.js'

/** The API as a tenant has it who is alone on it; each test opens it again. */
export class TenantApi {
  world!: ApiWorld
  tenant!: TestTenant
  worker!: TestWorker
  /** The id of the tenant's job, for those who open the API with one. */
  job!: string

  readonly open = async (): Promise<void> => this.#openOn(await ApiWorld.open())

  /** With a job, in a world that the test has made. */
  readonly openOn = async (world: ApiWorld): Promise<void> => {
    await this.#openOn(world)
    this.job = await newJob(this.send)
  }

  async #openOn(world: ApiWorld): Promise<void> {
    this.world = world
    this.tenant = await this.world.tenant()
    this.worker = new TestWorker(this.world)
  }

  readonly openWithJob = async (): Promise<void> => this.openOn(await ApiWorld.open())

  get clock(): VirtualClock {
    return this.world.clock
  }

  get store(): Store {
    return this.world.store
  }

  readonly close = (): Promise<void> => this.world.close()

  /** Sends with the tenant's admin key. */
  readonly send: Send = (...request) => this.tenant.send(...request)

  /** Asks for an endpoint in the job, which may be refused. */
  readonly createEndpoint = (given: object): Promise<Reply> =>
    this.send('POST', `/jobs/${this.job}/endpoints`, {
      name: 'e',
      url: 'https://x.example/',
      ...given,
    })
}
