import type { VirtualClock } from '@kron/runtime/testing'
import { manualJob, ownedJob } from '../../packages/operator/src/job/index.js'
import type { KronJob, KronJobSpec } from '../../packages/operator/src/kronjob/index.js'
import { jobs, type KubeObject, kronJobs } from '../../packages/operator/src/kube/index.js'
import type { MemoryKubeApi } from '../../packages/operator/testing/kube-api/index.js'
import type { Random } from '../random.js'
import type { Chronicle } from './chronicle.js'
import { changedSpec } from './kron-job-mix.js'

const namespace = 'default'
/** After which nobody should feel any more what was done. */
const aftermathMs = 60_000

/** What people, and others in the cluster, do to KronJobs and Jobs. */
export class People {
  readonly #api: MemoryKubeApi
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #chronicle: Chronicle
  #isOver = false
  #manual = 0

  constructor(api: MemoryKubeApi, clock: VirtualClock, random: Random, chronicle: Chronicle) {
    this.#api = api
    this.#clock = clock
    this.#random = random
    this.#chronicle = chronicle
  }

  apply(name: string, spec: KronJobSpec): void {
    if (this.#api.objects.find(kronJobs, { namespace, name }) !== undefined) return
    const object = { metadata: { name, namespace }, spec }
    this.#api.objects.create(kronJobs, object as unknown as KubeObject)
  }

  edit(): void {
    const kronJob = this.#some(kronJobs) as KronJob | undefined
    if (kronJob === undefined) return
    switch (this.#random.between(0, 5)) {
      case 0:
      case 1:
        this.#change(kronJob, changedSpec(this.#random, kronJob.spec))
        break
      case 2:
        this.#deleteAndApply(kronJob)
        break
      case 3:
        this.#run(kronJob)
        break
      default: {
        const suspend = kronJob.spec.policy?.suspend !== true && this.#random.chance(0.4)
        this.#change(kronJob, { policy: { ...kronJob.spec.policy, suspend } })
      }
    }
  }

  erase(): void {
    switch (this.#random.between(0, 3)) {
      case 0:
        this.#eraseStatus()
        break
      case 1:
        this.#deleteJob(() => true)
        break
      default:
        this.#deleteJob((job) => ownedJob(job)?.state !== 'active')
    }
  }

  /** Everybody goes home: nothing new is due, and nothing is done any more. */
  leave(): void {
    this.#isOver = true
    for (const kronJob of this.#api.objects.all(kronJobs) as readonly KronJob[]) {
      this.#change(kronJob, { timezone: 'UTC', policy: { ...kronJob.spec.policy, suspend: true } })
    }
  }

  #some(resource: typeof kronJobs, isMeant: (object: KubeObject) => boolean = () => true) {
    const all = this.#api.objects.all(resource).filter(isMeant)
    return all.length === 0 ? undefined : this.#random.pick(all)
  }

  #change({ metadata }: KronJob, spec: Partial<KronJobSpec>): void {
    this.#disturbed(metadata.name)
    this.#api.objects.patch(kronJobs, { namespace, name: metadata.name }, { spec })
  }

  #deleteAndApply({ metadata: { name }, spec }: KronJob): void {
    const propagation = this.#random.pick(['Background', 'Foreground'] as const)
    this.#api.objects.delete(kronJobs, { namespace, name }, { propagation })
    this.#disturbed(name)
    const again = this.#random.chance(0.7) ? spec : changedSpec(this.#random, spec)
    const afterMs = this.#random.pick([1, 1000, 10_000, 120_000])
    void this.#clock.sleep(afterMs).then(() => {
      if (this.#isOver) return
      this.apply(name, again)
      this.#disturbed(name)
    })
  }

  #run(kronJob: KronJob): void {
    this.#disturbed(kronJob.metadata.name)
    this.#api.objects.create(jobs, manualJob(kronJob, `n${++this.#manual}`))
  }

  #eraseStatus(): void {
    const kronJob = this.#some(kronJobs)
    if (kronJob === undefined) return
    const { name } = kronJob.metadata
    this.#disturbed(name)
    const options = { subresource: 'status' } as const
    this.#api.objects.patch(kronJobs, { namespace, name }, { status: null }, options)
  }

  #deleteJob(isMeant: (job: KubeObject) => boolean): void {
    const job = this.#some(jobs, isMeant)
    if (job === undefined) return
    this.#disturbed(job.metadata.labels?.['kron.io/name'] ?? '')
    const propagation = this.#random.pick(['Background', 'Foreground'] as const)
    this.#api.objects.delete(jobs, { namespace, name: job.metadata.name }, { propagation })
  }

  #disturbed(name: string): void {
    this.#chronicle.disturbed('people', aftermathMs, `${namespace}/${name}`)
  }
}
