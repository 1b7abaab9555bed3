import type { Clock } from '@kron/runtime'
import type { ObjectName } from '../../src/kube/kube-api.js'
import { jobs, type KubeObject, type Resource } from '../../src/kube/kube-object.js'
import { wholeSeconds } from './admission.js'
import type { MemoryKubeApi } from './memory-kube-api.js'
import { type Change, nameOf, tableKey } from './object-store.js'

/** How a Job ends by itself; never, if it has no fate. */
export interface JobFate {
  readonly outcome: 'complete' | 'fail'
  /** From its start. */
  readonly afterMs: number
}

/** One Job at work, from its start until nothing of it runs any more. */
export interface JobRun {
  readonly job: ObjectName
  readonly uid: string
  readonly startedAt: Date
  endedAt: Date | null
  /** Stopped: it was deleted while it ran. */
  outcome: 'complete' | 'fail' | 'stopped' | null
}

export interface JobWorldOptions {
  readonly api: MemoryKubeApi
  readonly clock: Clock
  /** From the creation of a Job to its start (default 100). */
  readonly startMs?: number
  /** How a Job ends (default: not by itself). */
  readonly fateOf?: (job: KubeObject) => JobFate | null
  /**
   * How long a Job still runs after its deletion (default 0). It then has a Pod, which blocks its
   * deletion in the foreground and outlives it in the background; the API has to collect garbage.
   */
  readonly terminationMs?: number
}

export const pods: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod' }
const kubelet = 'kron.io/kubelet'

/** Plays the job controller and the machines: Jobs start, run and end as a test says. */
export class JobWorld {
  /** In the order of their starts. */
  readonly runs: JobRun[] = []
  readonly #api: MemoryKubeApi
  readonly #clock: Clock
  readonly #startMs: number
  readonly #terminationMs: number
  readonly #fateOf: (job: KubeObject) => JobFate | null
  readonly #running = new Map<string, JobRun>()

  constructor(options: JobWorldOptions) {
    this.#api = options.api
    this.#clock = options.clock
    this.#startMs = options.startMs ?? 100
    this.#terminationMs = options.terminationMs ?? 0
    this.#fateOf = options.fateOf ?? (() => null)
    this.#api.onChange((change) => this.#see(change))
  }

  get running(): readonly JobRun[] {
    return [...this.#running.values()]
  }

  /** The Job is over, if it runs: true. */
  complete(name: ObjectName): boolean {
    return this.#finish(name, 'complete')
  }

  fail(name: ObjectName): boolean {
    return this.#finish(name, 'fail')
  }

  #see({ type, resource, object, previous }: Change): void {
    const kind = tableKey(resource)
    if (kind === tableKey(jobs)) {
      if (type === 'ADDED') void this.#play(object)
      if (type === 'DELETED' && this.#terminationMs === 0)
        this.#end(object.metadata.uid!, 'stopped')
    }
    const wasMarked = previous?.metadata.deletionTimestamp !== undefined
    if (kind !== tableKey(pods) || type === 'ADDED' || wasMarked) return
    if (object.metadata.deletionTimestamp !== undefined) void this.#terminate(object)
  }

  async #play(job: KubeObject): Promise<void> {
    await this.#clock.sleep(this.#startMs)
    if (!this.#isAlive(job)) return
    const name = nameOf(job)
    const startTime = wholeSeconds(this.#clock.now())
    this.#setStatus(name, { active: 1, startTime })
    const uid = job.metadata.uid!
    const startedAt = this.#clock.now()
    const run: JobRun = { job: name, uid, startedAt, endedAt: null, outcome: null }
    this.runs.push(run)
    this.#running.set(uid, run)
    if (this.#terminationMs > 0) this.#api.objects.create(pods, podOf(job))
    const fate = this.#fateOf(job)
    if (fate === null) return
    await this.#clock.sleep(fate.afterMs)
    if (this.#isAlive(job)) this.#finish(name, fate.outcome)
  }

  #isAlive(job: KubeObject): boolean {
    const current = this.#api.objects.find(jobs, nameOf(job))
    const isSame = current?.metadata.uid === job.metadata.uid
    return isSame && current?.metadata.deletionTimestamp === undefined
  }

  #finish(name: ObjectName, outcome: 'complete' | 'fail'): boolean {
    const uid = this.#api.objects.find(jobs, name)?.metadata.uid
    if (uid === undefined || !this.#running.has(uid)) return false
    const now = wholeSeconds(this.#clock.now())
    this.#setStatus(name, outcome === 'complete' ? completed(now) : failed(now))
    this.#end(uid, outcome)
    this.#releasePod(podName(name, uid))
    return true
  }

  async #terminate(pod: KubeObject): Promise<void> {
    await this.#clock.sleep(this.#terminationMs)
    this.#end(pod.metadata.ownerReferences![0]!.uid, 'stopped')
    this.#releasePod(nameOf(pod))
  }

  #end(uid: string, outcome: 'complete' | 'fail' | 'stopped'): void {
    const run = this.#running.get(uid)
    if (run === undefined) return
    this.#running.delete(uid)
    run.endedAt = this.#clock.now()
    run.outcome = outcome
  }

  #setStatus(name: ObjectName, status: object): void {
    this.#api.objects.patch(jobs, name, { status }, { subresource: 'status' })
  }

  #releasePod(name: ObjectName): void {
    if (this.#api.objects.find(pods, name) === undefined) return
    this.#api.objects.patch(pods, name, { metadata: { finalizers: null } })
  }
}

/** A Pod that is still ending does not stand in the way of a later Job of the same name. */
const podName = ({ namespace, name }: ObjectName, jobUid: string): ObjectName => ({
  namespace,
  name: `${name}-${jobUid.slice(-5)}`,
})

function podOf(job: KubeObject): KubeObject {
  const { name, uid } = job.metadata
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name, uid: uid! }
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }]
  const labels = { 'job-name': name }
  const named = podName(nameOf(job), uid!)
  return { metadata: { ...named, labels, ownerReferences, finalizers: [kubelet] } }
}

const condition = (type: string, at: string) => ({
  type,
  status: 'True',
  lastProbeTime: at,
  lastTransitionTime: at,
})

const completed = (at: string): object => ({
  active: null,
  succeeded: 1,
  completionTime: at,
  conditions: [condition('Complete', at)],
})

const failed = (at: string): object => ({
  active: null,
  failed: 1,
  conditions: [{ ...condition('Failed', at), reason: 'BackoffLimitExceeded' }],
})
