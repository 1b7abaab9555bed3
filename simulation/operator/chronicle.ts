import { ownedJob } from '../../packages/operator/src/job/index.js'
import type { KronJob, Outcome } from '../../packages/operator/src/kronjob/index.js'
import {
  jobs,
  type KubeApi,
  type KubeObject,
  kronJobs,
  leases,
} from '../../packages/operator/src/kube/index.js'
import type { Change, MemoryKubeApi } from '../../packages/operator/testing/kube-api/index.js'

/** A request at the moment when an operator sent it. */
export interface SentRequest {
  /** Of one life of one operator. */
  readonly process: string
  readonly verb: keyof KubeApi
  readonly plural: string
  readonly name: string
  readonly at: number
  /** What the operator's own clock showed. */
  readonly clock: number
  /** Who held the lease then; empty if nobody. */
  readonly leader: string
  readonly isLawless: boolean
}

/** A Job came to be. */
export interface Creation {
  readonly identity: string
  readonly ownerUid: string
  readonly jobUid: string
  readonly name: string
  readonly nominal: number
  readonly chosen: number | null
  readonly at: number
  readonly by: SentRequest | null
  /** Other Jobs of the same KronJob that were neither over nor gone. */
  readonly beside: readonly { readonly jobUid: string; readonly since: number }[]
}

export interface Removal {
  readonly jobUid: string
  readonly at: number
  /** Null if not by an operator. */
  readonly by: SentRequest | null
  readonly wasActive: boolean
}

/** A KronJob from one write to the next. */
export interface Version {
  readonly identity: string
  readonly uid: string
  readonly kronJob: KronJob
  readonly at: number
  readonly isGone: boolean
  readonly by: SentRequest | null
}

/** From when to when something kept operators from their work; of one KronJob if it says so. */
export interface Disturbance {
  readonly from: number
  readonly to: number
  readonly what: string
  readonly identity?: string
}

export interface HandledMark {
  readonly period: string
  readonly outcome: Outcome
}

/** All that happened on an API server, from outside, with who asked for it. */
export class Chronicle {
  readonly creations: Creation[] = []
  readonly removals: Removal[] = []
  readonly versions: Version[] = []
  readonly disturbances: Disturbance[] = []
  /** Without those for leases. */
  readonly requests: SentRequest[] = []
  /** When each life has last read all Jobs. */
  readonly jobLists = new Map<string, number[]>()
  leader = ''
  /** Whose request takes effect right now. */
  actor: SentRequest | null = null
  readonly #api: MemoryKubeApi
  readonly #now: () => number

  constructor(api: MemoryKubeApi, now: () => number) {
    this.#api = api
    this.#now = now
    api.onChange((change) => this.#see(change))
  }

  get now(): number {
    return this.#now()
  }

  sent(request: SentRequest): void {
    if (request.plural !== leases.plural) this.requests.push(request)
  }

  disturbed(what: string, ms: number, identity?: string): void {
    const from = this.now
    const to = from + ms
    this.disturbances.push({ from, to, what, ...(identity !== undefined && { identity }) })
  }

  #see(change: Change): void {
    const { resource, object } = change
    if (resource.plural === jobs.plural) this.#seeJob(change)
    if (resource.plural === kronJobs.plural) this.#seeKronJob(change)
    if (resource.plural === leases.plural) {
      const { holderIdentity } = (object['spec'] ?? {}) as { holderIdentity?: string }
      this.leader = holderIdentity ?? ''
    }
  }

  #seeJob({ type, object, previous }: Change): void {
    const job = ownedJob(object)
    if (job === null) return
    const at = this.now
    const period = markedPeriod(object)
    if (type === 'ADDED' && period !== null) {
      this.creations.push({
        identity: `${job.namespace}/${object.metadata.labels?.['kron.io/name']}`,
        ownerUid: job.ownerUid,
        jobUid: job.uid,
        name: job.name,
        ...period,
        at,
        by: this.actor,
        beside: this.#activeBeside(object, job.ownerUid),
      })
    }
    const isGoing = type === 'DELETED' || job.deletingSince !== null
    const wasGoing = previous?.metadata.deletionTimestamp !== undefined
    if (isGoing && !wasGoing) {
      this.removals.push({ jobUid: job.uid, at, by: this.actor, wasActive: job.state === 'active' })
    }
  }

  #activeBeside(created: KubeObject, ownerUid: string): Creation['beside'] {
    return this.#api.objects
      .all(jobs)
      .map(ownedJob)
      .filter((job) => job !== null)
      .filter((job) => job.ownerUid === ownerUid && job.uid !== created.metadata.uid)
      .filter(({ state }) => state === 'active')
      .map(({ uid, createdAt }) => ({ jobUid: uid, since: createdAt }))
  }

  #seeKronJob({ type, object }: Change): void {
    this.versions.push({
      identity: `${object.metadata.namespace}/${object.metadata.name}`,
      uid: object.metadata.uid ?? '',
      kronJob: object as KronJob,
      at: this.now,
      isGone: type === 'DELETED',
      by: this.actor,
    })
  }
}

/** As the Job itself says, whatever it is called: an operator that names it wrongly is found out. */
function markedPeriod({ metadata }: KubeObject): Pick<Creation, 'nominal' | 'chosen'> | null {
  const periodId = metadata.annotations?.['kron.io/period-id']
  if (periodId === undefined) return null
  const chosen = metadata.annotations?.['kron.io/chosen-time']
  return { nominal: Date.parse(periodId), chosen: chosen === undefined ? null : Date.parse(chosen) }
}
