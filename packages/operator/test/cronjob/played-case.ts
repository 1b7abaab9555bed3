import { formatInstant } from '@kron/core'
import { VirtualCluster } from '../../src/controller/testing/virtual-cluster.js'
import { jobName, manualJob, scheduledJob } from '../../src/job/index.js'
import { compileKronJob, type KronJob, type KronJobSpec } from '../../src/kronjob/index.js'
import { convertCronJob } from '../../src/kronctl/import/convert-cron-job.js'
import { Refusal } from '../../src/kronctl/import/refusal.js'
import { ApiFailure, jobs, type KubeApi, kronJobs } from '../../src/kube/index.js'
import { type CronJobCase, constant, deadlineSeconds, nowOf, type Outcome } from './cron-job-case.js'
import { goTime } from './go-time.js'

const name = { namespace: 'default', name: 'my' }
const hour = 3_600_000
/** For the controller to do what it does. */
const lookMs = 5000
const template = { spec: { template: { spec: { restartPolicy: 'Never', containers: [] } } } }

/** What `kronctl import` makes of the CronJob; what it refuses stays as it was written. */
export function importedSpec(situation: CronJobCase): {
  readonly spec: Partial<KronJobSpec>
  readonly refusal: string | null
} {
  const { concurrencyPolicy = 'Allow', suspend, timeZone, successfulJobsHistoryLimit } = situation
  const schedule = scheduleOf(situation)
  const limit = /\((\d+)\)/.exec(successfulJobsHistoryLimit ?? '')?.[1]
  const zone = timeZone === undefined ? undefined : constant(timeZone)
  const spec = {
    concurrencyPolicy,
    schedule,
    jobTemplate: template,
    ...(suspend !== undefined && { suspend }),
    ...(zone !== undefined && { timeZone: zone }),
    startingDeadlineSeconds: deadlineSeconds(situation),
    ...(limit !== undefined && { successfulJobsHistoryLimit: Number(limit) }),
  }
  const cronJob = { metadata: name, spec: JSON.parse(JSON.stringify(spec)) }
  const converted = convertCronJob(cronJob, { now: nowOf(situation), windowMs: null })
  if (!(converted instanceof Refusal)) {
    return { spec: converted.kronJob['spec'] as KronJobSpec, refusal: null }
  }
  const timezone = zone === undefined ? {} : { timezone: zone }
  return { spec: { schedule, ...timezone, jobTemplate: template }, refusal: converted.reason }
}

/** As a KronJob whose controller begins at the situation's time. */
export async function playedCase(situation: CronJobCase): Promise<Outcome> {
  const cluster = new VirtualCluster({ at: createdAt(situation) })
  const kronJob = cluster.apply(name.name, importedSpec(situation).spec)
  const before = situation.ranPreviously === true ? await ranBefore(cluster, kronJob, situation) : []
  await reach(cluster, nowOf(situation))
  const running = new Set(before.filter((job) => isRunning(cluster, job)))
  const seen = { created: 0, deleted: 0 }
  cluster.api.onChange(({ type, resource, object, previous }) => {
    if (resource.plural !== jobs.plural) return
    if (type === 'ADDED') seen.created++
    const isMarked = object.metadata.deletionTimestamp !== undefined || type === 'DELETED'
    const wasMarked = previous?.metadata.deletionTimestamp !== undefined
    if (isMarked && !wasMarked && running.has(object.metadata.name)) seen.deleted++
  })
  if (situation.jobCreateError?.includes('ErrStatus') === true) {
    cluster.api.terminateNamespace(name.namespace)
  }
  const { stop } = cluster.startController({ api: obstructed(cluster.api, situation) })
  await cluster.clock.advanceBy(lookMs)
  const status = cluster.status(name.name)
  await stop()
  return {
    ...seen,
    active: status.activeCount ?? 0,
    succeeded: status.lastSuccessfulTime !== undefined,
    warnings: cluster.lines.filter(() => false).length + warningsOf(cluster),
    next: status.nextChosenTime ?? null,
  }
}

function scheduleOf({ schedule }: CronJobCase): string {
  return constant(schedule)
}

function createdAt({ cronjobCreationTime, ranPreviously }: CronJobCase): number {
  if (cronjobCreationTime !== undefined) return goTime(cronjobCreationTime)
  return Date.parse(ranPreviously === true ? '2016-05-19T08:59:00Z' : '2016-05-19T09:59:00Z')
}
