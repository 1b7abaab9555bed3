import type { Job } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../testing/cluster/sample-world.js'
import { at, kronJobOf } from '../../testing/cluster/samples.js'
import { template } from '../../testing/cluster/virtual-cluster.js'
import {
  type ApiCall,
  type FaultKind,
  FaultyKubeApi,
  MemoryKubeApi,
} from '../../testing/kube-api/index.js'
import { jobName } from '../job/index.js'
import { jobs, type KubeApi, type OwnerReference } from '../kube/index.js'
import { KronJobRecord } from '../record/kron-job-record.js'
import { Requests } from '../requests/requests.js'
import { findJob, startJob } from './job-starter.js'

const period = '2026-03-01T10:00:00Z'
const name = { namespace: 'default', name: jobName('backup', period) }
const owner = { apiVersion: 'kron.io/v1alpha1', kind: 'KronJob', name: 'backup', controller: true }

function starting(faults: Partial<Record<keyof KubeApi, FaultKind>> = {}) {
  const { clock } = sampleWorld()
  const server = new MemoryKubeApi({ clock })
  const api = new FaultyKubeApi(server, clock, ({ verb }: ApiCall) => {
    const kind = faults[verb]
    return kind === undefined ? null : { kind }
  })
  const world = sampleWorld(api, () => true, clock)
  const requests = new Requests(world, 4, new AbortController().signal)
  const record = new KronJobRecord('default/backup', kronJobOf(), at('10:00:00'))
  const decision = (record.compiled as Job).decide(at('10:00:00'))
  /** A Job of that name, of somebody. */
  const take = (...ownerReferences: readonly OwnerReference[]): void => {
    server.objects.create(jobs, { metadata: { ...name, ownerReferences }, ...template })
  }
  return {
    take,
    start: () => startJob(requests, record, decision, () => true),
    startTooLate: async () => {
      const waiting = Array.from({ length: 4 }, () => requests.job(name).catch(() => null))
      const result = await startJob(requests, record, decision, () => false)
      await Promise.all(waiting)
      return result
    },
    find: () => findJob(requests, record, decision),
  }
}

const failed = (more: object) => ({ kind: 'failed', ...more })

describe('the Job of a period', () => {
  it('is created', async () => {
    expect(await starting().start()).toMatchObject({ kind: 'created', job: { metadata: name } })
  })

  it('is not asked for if it had to wait until nobody wanted it, which is no failure', async () => {
    const { startTooLate, find } = starting()
    expect(await startTooLate()).toEqual({ kind: 'overdue' })
    expect(await find()).toBeNull()
  })

  it('is the one that exists, if that is ours', async () => {
    const { take, start } = starting()
    take({ ...owner, uid: 'owner' })
    expect(await start()).toMatchObject({ kind: 'existed', job: { metadata: name } })
  })

  it.each([
    ['nobody', []],
    ['KronJob backup (other)', [{ ...owner, uid: 'other' }]],
    [
      'CronJob nightly (x)',
      [
        { ...owner, uid: 'owner', controller: false },
        { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'x', controller: true },
      ],
    ],
  ])('is not the one that exists, if that is controlled by %s', async (whose, owners) => {
    const { take, start, find } = starting()
    take(...owners)
    expect(await start()).toMatchObject(
      failed({
        isUncertain: false,
        trouble: {
          condition: 'SchedulingError',
          reason: 'NameTaken',
          message: `Job ${name.name} of period ${period} exists, but is controlled by ${whose}`,
        },
      }),
    )
    expect(await find()).toBeNull()
  })

  it('may have been there and be gone: then the conflict is what is known', async () => {
    const { start } = starting({ create: 'conflict' })
    expect(await start()).toMatchObject(
      failed({ error: { status: 409 }, trouble: null, isUncertain: false }),
    )
  })

  it('is not known to be ours when nobody can look', async () => {
    const { start } = starting({ create: 'conflict', get: 'broken' })
    expect(await start()).toMatchObject(failed({ error: { status: 500 }, isUncertain: false }))
  })

  it.each<[FaultKind, boolean]>([
    ['cut', true],
    ['lost-answer', true],
    ['broken', false],
    ['throttled', false],
  ])('may exist after a %s: %j', async (fault, isUncertain) => {
    const { start } = starting({ create: fault })
    expect(await start()).toMatchObject(failed({ isUncertain, trouble: null }))
  })

  it('is found after an answer that got lost', async () => {
    const { start, find } = starting({ create: 'lost-answer' })
    expect(await find()).toBeNull()
    await start()
    expect(await find()).toMatchObject({ metadata: name })
  })

  it('is not called absent when nobody can look', async () => {
    await expect(starting({ get: 'broken' }).find()).rejects.toMatchObject({ status: 500 })
  })
})
