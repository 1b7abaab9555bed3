import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/kronctl/memory-world.js'
import { kronJobObject } from '../../../testing/kronctl/samples.js'
import { changedKubeApi } from '../../../testing/kube-api/index.js'
import type { KronJob } from '../../kronjob/index.js'
import { ApiFailure, jobs, type KubeApi, type KubeObject, kronJobs } from '../../kube/index.js'

const shop = { namespace: 'shop', name: 'backup' }
const objects = [[kronJobs, kronJobObject('backup')]] as const

/** `kronctl run backup`, where the first creations fail with these. */
async function runAgainst(...failures: readonly ApiFailure[]) {
  const tried: string[] = []
  const through = (api: KubeApi): KubeApi =>
    changedKubeApi(api, {
      create: async (resource, object: KubeObject, signal) => {
        const failure = failures[tried.push(object.metadata.name) - 1]
        if (failure !== undefined) throw failure
        return await api.create(resource, object, signal)
      },
    })
  return { tried, ...(await runInMemory(['run', 'backup'], { objects, through })) }
}

const taken = new ApiFailure('exists', { status: 409, reason: 'AlreadyExists' })

describe('kronctl run', () => {
  it('takes another name when one is taken', async () => {
    const { exitCode, tried, api } = await runAgainst(taken, taken)
    expect(exitCode).toBe(0)
    expect(tried).toEqual(['aaaaa', 'bbbbb', 'ccccc'].map((end) => `backup-manual-${end}`))
    expect(api.objects.all(jobs)).toMatchObject([{ metadata: { name: tried[2] } }])
  })

  it('gives up when names are taken again and again', async () => {
    const { exitCode, tried } = await runAgainst(...Array<ApiFailure>(20).fill(taken))
    expect(exitCode).not.toBe(0)
    expect(tried).toHaveLength(5)
  })

  it.each([null, 500, 504])(
    'creates no second Job when it is not sure of one: %s',
    async (status) => {
      const { exitCode, tried } = await runAgainst(new ApiFailure('no answer', { status }))
      expect(exitCode).not.toBe(0)
      expect(tried).toHaveLength(1)
    },
  )
})

describe('kronctl suspend', () => {
  it('changes nothing else', async () => {
    const policy = { concurrency: 'allow', deadline: '5m', first: 'run' }
    const before = kronJobObject('backup', { policy, failedJobsHistoryLimit: 7 })
    const { api } = await runInMemory(['suspend', 'backup'], { objects: [[kronJobs, before]] })
    const { spec } = api.objects.get(kronJobs, shop) as KronJob
    expect(spec).toEqual({ ...(before as KronJob).spec, policy: { ...policy, suspend: true } })
  })
})
