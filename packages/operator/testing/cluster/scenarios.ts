import type { KubeObject } from '../../src/kube/index.js'
import { ApiFailure, kronJobs } from '../../src/kube/index.js'
import type { VirtualCluster, VirtualClusterOptions } from './virtual-cluster.js'

/** Some hours of a cluster, always the same. */
export interface Scenario {
  readonly name: string
  readonly options?: VirtualClusterOptions
  readonly play: (cluster: VirtualCluster) => Promise<void>
}

const lasting = (afterMs: number, outcome: 'complete' | 'fail' = 'complete') => ({
  fateOf: () => ({ outcome, afterMs }),
})

/** Long enough for all faults to pass; periods do not come closer to each other than that. */
const patient = { deadline: '8m' }
const end = '10:35:00'

const quotaEnd = Date.UTC(2026, 2, 1, 10, 3)

export const overQuota = (): ApiFailure =>
  new ApiFailure('jobs.batch "backup" is forbidden: exceeded quota: jobs', {
    status: 403,
    reason: 'Forbidden',
  })

const deadlines = (concurrency: string) => ({ concurrency, ...patient })

export const scenarios: readonly Scenario[] = [
  {
    name: 'a Job that completes',
    options: lasting(20_000),
    play: async (cluster) => {
      cluster.apply('backup', { schedule: '*/10 * * * *', policy: patient })
      await cluster.until(end)
    },
  },
  {
    name: 'a Job that fails, and history that is pruned to one',
    options: lasting(20_000, 'fail'),
    play: async (cluster) => {
      cluster.apply('backup', {
        schedule: '*/10 * * * *',
        policy: patient,
        failedJobsHistoryLimit: 1,
      })
      await cluster.until(end)
    },
  },
  {
    name: 'no history at all',
    options: lasting(20_000),
    play: async (cluster) => {
      cluster.apply('backup', {
        schedule: '*/10 * * * *',
        policy: { deadline: '3m' },
        successfulJobsHistoryLimit: 0,
      })
      await cluster.until('10:29:00')
    },
  },
  {
    name: 'forbid, with a Job that takes longer than a period',
    options: lasting(700_000),
    play: async (cluster) => {
      cluster.apply('backup', { schedule: '*/10 * * * *', policy: deadlines('forbid') })
      await cluster.until('10:25:00')
    },
  },
  {
    name: 'replace',
    options: { fateOf: () => null, terminationMs: 3000 },
    play: async (cluster) => {
      cluster.apply('backup', { schedule: '*/10 * * * *', policy: deadlines('replace') })
      await cluster.until('10:25:00')
    },
  },
  {
    name: 'allow',
    options: lasting(700_000),
    play: async (cluster) => {
      cluster.apply('backup', { schedule: '*/10 * * * *', policy: deadlines('allow') })
      await cluster.until('10:25:00')
    },
  },
  {
    name: 'suspending and resuming',
    options: lasting(20_000),
    play: async (cluster) => {
      cluster.apply('backup', { schedule: '*/10 * * * *', policy: { ...patient, suspend: true } })
      await cluster.until('10:12:00')
      cluster.change('backup', { policy: { suspend: false } })
      await cluster.until('10:25:00')
    },
  },
  {
    name: 'a specification that is invalid and gets right',
    options: lasting(20_000),
    play: async (cluster) => {
      cluster.apply('backup', { schedule: '*/10 * * * *', timezone: 'Europe/Pariss' })
      await cluster.until('10:12:00')
      cluster.change('backup', { timezone: 'Europe/Paris', policy: patient })
      await cluster.until(end)
    },
  },
  {
    name: 'a schedule that is moved to a time that had passed',
    options: lasting(20_000),
    play: async (cluster) => {
      cluster.apply('backup', { schedule: '30 10 * * *', policy: { deadline: '24h' } })
      await cluster.until('10:12:00')
      cluster.change('backup', { schedule: '10 10 * * *' })
      await cluster.until('10:25:00')
      cluster.change('backup', { schedule: '30 10 * * *' })
      await cluster.until(end)
    },
  },
  {
    name: 'Jobs that a quota refuses for a while',
    options: { ...lasting(20_000), refusal: (now) => (now < quotaEnd ? overQuota() : null) },
    play: async (cluster) => {
      cluster.apply('backup', { schedule: '*/10 * * * *', policy: patient })
      await cluster.until('10:17:00')
    },
  },
  {
    name: 'unschedulable periods',
    play: async (cluster) => {
      cluster.apply('backup', { schedule: '*/10 * * * *', constraints: { avoid: ['hours=10'] } })
      await cluster.until('10:25:00')
    },
  },
  {
    name: 'a KronJob that is deleted, and one that is not',
    options: lasting(20_000),
    play: async (cluster) => {
      cluster.apply('doomed', { schedule: '*/10 * * * *', policy: patient })
      cluster.apply('lasting', { schedule: '5-59/10 * * * *', policy: patient })
      await cluster.until('10:09:30')
      const name = { namespace: 'default', name: 'doomed' }
      cluster.api.objects.delete(kronJobs, name, { propagation: 'Background' })
      await cluster.until('10:34:00')
    },
  },
]

/**
 * All that a cluster is after a scenario, without what depends on when it became so, and without
 * events that do not have to be told: that a Job existed is news only to who asked for it twice.
 */
export function endState(cluster: VirtualCluster, untold = ['JobAlreadyExists']): object {
  const periodOf = ({ metadata }: KubeObject): string =>
    `${metadata.labels?.['kron.io/name']} ${metadata.annotations?.['kron.io/period-id']}`
  return {
    jobs: cluster.jobs().map(periodOf).sort(),
    runs: cluster.world.runs.map(({ job }) => job.name).sort(),
    kronJobs: cluster.api.objects.all(kronJobs).map(lastingStatus),
    told: cluster
      .messages()
      .filter((message) => !untold.some((reason) => message.startsWith(reason)))
      .sort(),
  }
}

function lastingStatus(object: KubeObject): object {
  const status = { ...(object['status'] as Record<string, unknown>) }
  const { lastSuccessfulTime, lastFailureTime, responsibleSince, active, conditions } = status
  return {
    ...status,
    name: object.metadata.name,
    lastSuccessfulTime: lastSuccessfulTime !== undefined,
    lastFailureTime: lastFailureTime !== undefined,
    responsibleSince: responsibleSince !== undefined,
    active: (active as { name: string }[] | undefined)?.map(({ name }) => name),
    conditions: (conditions as { type: string; status: string; reason: string }[] | undefined)?.map(
      ({ type, status: value, reason }) => `${type} ${value} ${reason}`,
    ),
  }
}
