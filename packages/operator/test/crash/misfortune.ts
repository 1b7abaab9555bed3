import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../../../simulation/random.js'
import type { ControlPlane } from '../../../../tools/kube/control-plane.ts'
import type { Site } from '../cluster/site.js'
import type { Stretch } from './judgement.js'

/** What befalls a cluster beside the death of its controllers. */
export class Misfortune {
  restarts = 0
  cuts = 0
  erasures = 0
  compactions = 0
  readonly outages: Stretch[] = []
  readonly #plane: ControlPlane
  readonly #site: Site
  readonly #kronJobs: readonly string[]
  readonly #random: Random

  /** `kronJobs`: as `namespace/name`. */
  constructor(plane: ControlPlane, site: Site, kronJobs: readonly string[], random: Random) {
    this.#plane = plane
    this.#site = site
    this.#kronJobs = kronJobs
    this.#random = random
  }

  /** Something every second, and every so often the death of the API server. */
  async strike(until: number, outageEveryMs: number): Promise<void> {
    let nextOutage = Date.now() + outageEveryMs / 2
    while (Date.now() < until) {
      await wait(this.#random.between(300, 1200))
      if (Date.now() < nextOutage) await this.#annoy()
      else {
        await this.#killApiServer()
        nextOutage = Date.now() + outageEveryMs
      }
    }
  }

  async #annoy(): Promise<void> {
    if (this.#random.chance(0.3)) {
      this.#site.gateway.cut()
      this.cuts++
    } else if (this.#random.chance(0.2)) {
      await this.#plane.compactEtcd()
      this.compactions++
    } else await this.#eraseStatus(this.#random.pick(this.#kronJobs))
  }

  /** Every other time its successor knows nothing of the past, so that watches are answered 410. */
  async #killApiServer(): Promise<void> {
    const from = Date.now()
    if (this.restarts % 2 === 0) await this.#plane.restartApiServer()
    else {
      await this.#plane.forgetHistory()
      this.compactions++
    }
    this.outages.push({ from, to: Date.now() })
    this.restarts++
  }

  async #eraseStatus(kronJob: string): Promise<void> {
    const [namespace, name] = kronJob.split('/')
    const path = `/apis/kron.io/v1alpha1/namespaces/${namespace}/kronjobs/${name}/status`
    const answer = await this.#plane.client.send('PATCH', path, { status: null })
    if (answer.status === 200) this.erasures++
  }
}
