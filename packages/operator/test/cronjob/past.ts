import { formatInstant, KronError } from '@kron/core'
import { manualJob, scheduledJob } from '../../src/job/index.js'
import { compileKronJob, type KronJob } from '../../src/kronjob/index.js'
import { jobs, type KubeObject, kronJobs } from '../../src/kube/index.js'
import type { VirtualCluster } from '../../testing/cluster/virtual-cluster.js'
import { type CronJobCase, nowOf } from './cron-job-case.js'
import { goTime } from './go-time.js'

const hour = 3_600_000

/** When Kubernetes' tests have the CronJob created, if a situation does not say it. */
export function createdAt({ cronjobCreationTime, ranPreviously }: CronJobCase): number {
  if (cronjobCreationTime !== undefined) return goTime(cronjobCreationTime)
  return Date.parse(ranPreviously === true ? '2016-05-19T08:59:00Z' : '2016-05-19T09:59:00Z')
}

/** Lets the cluster live until the situation's time, with what happened before it. */
export async function livePast(
  cluster: VirtualCluster,
  kronJob: KronJob,
  situation: CronJobCase,
): Promise<void> {
  const now = nowOf(situation)
  if (situation.ranPreviously === true) await runBefore(cluster, kronJob, situation)
  if (situation.jobCreateError?.includes('AlreadyExists') === true) {
    await reach(cluster, Math.max(now, cluster.clock.now().getTime()) - 1000)
    await finish(cluster, create(cluster, kronJob, now))
  }
  await reach(cluster, now)
}

/** The Job that the situation calls the previous one, and the status that tells of its run. */
async function runBefore(
  cluster: VirtualCluster,
  kronJob: KronJob,
  situation: CronJobCase,
): Promise<void> {
  const startedAt = goTime(situation.jobCreationTime ?? '2016-05-19T09:01:00Z')
  await reach(cluster, startedAt)
  const job = create(cluster, kronJob, startedAt)
  if (situation.stillActive === true) await cluster.clock.advanceBy(100)
  else await finish(cluster, job)
  const { name, namespace, uid } = job.metadata
  const reference = { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid }
  const isListed = situation.jobPresentInCJActiveStatus === true
  const last = formatInstant(periodAt(goTime(situation.lastScheduleTime ?? '2016-05-19T09:01:00Z')))
  const status = {
    lastPeriodID: last,
    lastNominalTime: last,
    lastOutcome: 'executed',
    active: isListed ? [reference] : [],
  }
  const kronJobName = { namespace: 'default', name: kronJob.metadata.name }
  cluster.api.objects.patch(kronJobs, kronJobName, { status }, { subresource: 'status' })
}

const periodAt = (at: number): number => Math.floor(at / hour) * hour

/** Of the period that has begun last; of none where the schedule has no periods. */
function create(cluster: VirtualCluster, kronJob: KronJob, at: number): KubeObject {
  return cluster.api.objects.create(jobs, jobAt(kronJob, periodAt(at)))
}

function jobAt(kronJob: KronJob, nominal: number): KubeObject {
  try {
    return scheduledJob(kronJob, compileKronJob(kronJob).decide(nominal))
  } catch (error) {
    if (error instanceof KronError) return manualJob(kronJob, 'before')
    throw error
  }
}

async function finish({ clock, world }: VirtualCluster, { metadata }: KubeObject): Promise<void> {
  await clock.advanceBy(200)
  world.complete({ namespace: 'default', name: metadata.name })
}

/** The clock may have to be set back: that is what the situation is about. */
async function reach({ clock }: VirtualCluster, at: number): Promise<void> {
  const now = clock.now().getTime()
  if (at < now) clock.step(at - now)
  else await clock.advanceTo(at)
}
