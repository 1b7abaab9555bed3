import { ApiFailure, events, jobs, type KubeApi, type KubeObject } from '../../src/kube/index.js'
import { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { changedKubeApi } from '../../testing/kube-api/index.js'
import type { CronJobCase, Outcome } from './cron-job-case.js'
import { importedSpec } from './imported-spec.js'
import { createdAt, livePast } from './past.js'

/** For the controller to do what it does. */
const lookMs = 5000

/** What our controller does where it finds the situation. */
export async function playedCase(situation: CronJobCase): Promise<Outcome> {
  const cluster = new VirtualCluster({ at: createdAt(situation) })
  const kronJob = cluster.apply('my', importedSpec(situation).spec)
  await livePast(cluster, kronJob, situation)
  const seen = follow(cluster)
  // The one creation error that is not about a Job of the same name.
  if (situation.jobCreateError?.includes('ErrStatus')) cluster.api.terminateNamespace('default')
  const { stop } = cluster.startController({ api: obstructed(cluster.api, situation) })
  await cluster.clock.advanceBy(lookMs)
  await stop()
  const status = cluster.status('my')
  return {
    ...seen,
    active: status.activeCount ?? 0,
    succeeded: status.lastSuccessfulTime !== undefined,
    warnings: cluster.api.objects.all(events).filter(({ type }) => type === 'Warning').length,
    next: status.nextChosenTime ?? null,
  }
}

/** Counts Jobs from now on: created, and deleted while they were at work. */
function follow(cluster: VirtualCluster): { created: number; deleted: number } {
  const seen = { created: 0, deleted: 0 }
  const running = new Set(cluster.world.running.map(({ uid }) => uid))
  cluster.api.onChange(({ type, resource, object, previous }) => {
    if (resource !== jobs) return
    if (type === 'ADDED') seen.created++
    const isGoing = type === 'DELETED' || object.metadata.deletionTimestamp !== undefined
    const wasGoing = previous?.metadata.deletionTimestamp !== undefined
    if (isGoing && !wasGoing && running.has(object.metadata.uid ?? '')) seen.deleted++
  })
  return seen
}

/** The API as the situation has it: a list from before the newest Job, requests that are refused. */
function obstructed(api: VirtualCluster['api'], situation: CronJobCase): KubeApi {
  const { jobStillNotFoundInLister = false, jobCreateError = '', jobGetErr } = situation
  const isStale = jobStillNotFoundInLister || jobCreateError.includes('AlreadyExists')
  const newest = isStale ? newestJob(api) : undefined
  if (isStale) api.holdWatches()
  return changedKubeApi(api, {
    list: async (resource, query, signal) => {
      const list = await api.list(resource, query, signal)
      if (resource !== jobs || newest === undefined) return list
      const resourceVersion = String(Number(newest.metadata.resourceVersion) - 1)
      return { ...list, resourceVersion, items: list.items.filter((job) => job !== newest) }
    },
    delete: async (...asked) => {
      if (jobGetErr === undefined) return api.delete(...asked)
      throw new ApiFailure('request is invalid', { status: 400, reason: 'BadRequest' })
    },
  })
}

function newestJob({ objects }: VirtualCluster['api']): KubeObject | undefined {
  const age = ({ metadata }: KubeObject): number => Date.parse(metadata.creationTimestamp ?? '')
  return objects
    .all(jobs)
    .toSorted((a, b) => age(a) - age(b))
    .at(-1)
}
