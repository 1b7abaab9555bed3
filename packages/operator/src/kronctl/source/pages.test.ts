import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/kronctl/memory-world.js'
import { kronJobObject } from '../../../testing/kronctl/samples.js'
import { changedKubeApi } from '../../../testing/kube-api/index.js'
import { type KubeApi, kronJobs, type ListQuery } from '../../kube/index.js'

const names = ['a', 'b', 'c', 'd', 'e']
const objects = names.map((name) => [kronJobs, kronJobObject(name)] as const)

describe('a list of a cluster that comes in pages', () => {
  it('is read to its end', async () => {
    const queries: ListQuery[] = []
    const through = (api: KubeApi): KubeApi =>
      changedKubeApi(api, {
        list: (resource, query, signal) => {
          queries.push(query)
          return api.list(resource, { ...query, limit: 2 }, signal)
        },
      })
    const { exitCode, api } = await runInMemory(['suspend', '--all'], { objects, through })
    expect(exitCode).toBe(0)
    expect(api.objects.all(kronJobs)).toMatchObject(
      names.map((name) => ({ metadata: { name }, spec: { policy: { suspend: true } } })),
    )
    expect(queries.map((query) => query.limit)).toEqual([500, 500, 500])
    expect(queries.map((query) => query.continue !== undefined)).toEqual([false, true, true])
  })
})
