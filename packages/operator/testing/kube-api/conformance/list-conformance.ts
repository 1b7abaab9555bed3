import { expect } from 'vitest'
import type { ListQuery } from '../../../src/kube/kube-api.js'
import { jobs, kronJobs } from '../../../src/kube/kube-object.js'
import type { ConformanceWorld, Sentence } from './kube-api-conformance.js'
import { sampleJob, sampleKronJob } from './sample-objects.js'

async function namesOf({ api, namespace }: ConformanceWorld, query: ListQuery = {}) {
  const { items } = await api.list(kronJobs, { namespace, ...query })
  return items.map(({ metadata }) => metadata.name)
}

async function createAll({ api, namespace }: ConformanceWorld, names: readonly string[]) {
  for (const name of names) await api.create(kronJobs, sampleKronJob(namespace, name))
}

export function describeLists(sentence: Sentence): void {
  sentence('lists nothing where nothing is, with a version', async ({ api, namespace }) => {
    const list = await api.list(kronJobs, { namespace })
    expect(list.items).toEqual([])
    expect(list.resourceVersion).toMatch(/^[1-9]\d*$/)
    expect(list.continue ?? '').toBe('')
  })

  sentence('lists objects by their names, as they are', async (world) => {
    const { api, namespace } = world
    await createAll(world, ['b', 'c', 'a'])
    await api.create(jobs, sampleJob(namespace, 'd'))
    const { items } = await api.list(kronJobs, { namespace })
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c'])
    expect(items[0]).toEqual(await api.get(kronJobs, { namespace, name: 'a' }))
    expect((await api.list(jobs, { namespace })).items).toMatchObject([
      {
        metadata: { name: 'd', namespace },
        spec: { template: { spec: { restartPolicy: 'Never' } } },
      },
    ])
  })

  sentence('lists those of all namespaces', async (world) => {
    const { api, namespace } = world
    await createAll(world, ['a', 'b'])
    const { items } = await api.list(kronJobs, {})
    const ours = items.filter(({ metadata }) => metadata.namespace === namespace)
    expect(ours.map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
    expect(await namesOf({ ...world, namespace: `${namespace}-other` })).toEqual([])
  })

  sentence('lists page by page what there was at the first page', async (world) => {
    const { api, namespace } = world
    await createAll(world, ['a', 'b', 'c', 'd', 'e'])
    const first = await api.list(kronJobs, { namespace, limit: 2 })
    await api.create(kronJobs, sampleKronJob(namespace, 'bb'))
    await api.delete(kronJobs, { namespace, name: 'e' }, { propagation: 'Background' })
    const page = (token: string | undefined) =>
      api.list(kronJobs, { namespace, limit: 2, continue: token! })
    const second = await page(first.continue)
    const third = await page(second.continue)
    const pages = [first, second, third]
    expect(pages.map(({ items }) => items.map(({ metadata }) => metadata.name))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e'],
    ])
    const versions = new Set(pages.map(({ resourceVersion }) => resourceVersion))
    expect(versions.size).toBe(1)
    expect(third.continue ?? '').toBe('')
  })

  sentence('does not promise another page when the limit is just enough', async (world) => {
    await createAll(world, ['a', 'b'])
    const { api, namespace } = world
    const page = await api.list(kronJobs, { namespace, limit: 2 })
    expect(page.items).toHaveLength(2)
    expect(page.continue ?? '').toBe('')
  })

  sentence(
    'can not go on with a page that is too old',
    async (world) => {
      const { api, namespace, compact } = world
      await createAll(world, ['a', 'b', 'c'])
      const page = await api.list(kronJobs, { namespace, limit: 1 })
      await createAll(world, ['d'])
      await compact!()
      const next = api.list(kronJobs, { namespace, limit: 1, continue: page.continue! })
      await expect(next).rejects.toMatchObject({ status: 410, reason: 'Expired' })
    },
    ({ compact }) => compact !== undefined,
  )

  sentence('selects by labels', async (world) => {
    const { api, namespace } = world
    const labels: Record<string, Record<string, string>> = {
      a: { tier: 'front', app: 'x' },
      b: { tier: 'back', app: 'x' },
      c: { tier: 'back', 'kron.io/name': 'y' },
      d: {},
    }
    for (const [name, of] of Object.entries(labels)) {
      await api.create(kronJobs, sampleKronJob(namespace, name, of))
    }
    const selected = async (labelSelector: string) =>
      (await namesOf(world, { labelSelector })).join('')
    expect(await selected('tier')).toBe('abc')
    expect(await selected('!tier')).toBe('d')
    expect(await selected('tier=back')).toBe('bc')
    expect(await selected('tier==back')).toBe('bc')
    expect(await selected('tier!=back')).toBe('ad')
    expect(await selected('tier in (front, back)')).toBe('abc')
    expect(await selected('tier in (front)')).toBe('a')
    expect(await selected('tier notin (front)')).toBe('bcd')
    expect(await selected('kron.io/name')).toBe('c')
    expect(await selected('tier in (front,back),app=x,!kron.io/name')).toBe('ab')
    expect(await selected('app=x,tier=nowhere')).toBe('')
    expect(await namesOf(world, { labelSelector: 'tier', limit: 2 })).toEqual(['a', 'b'])
    const broken = api.list(kronJobs, { namespace, labelSelector: 'tier in front' })
    await expect(broken).rejects.toMatchObject({ status: 400, reason: 'BadRequest' })
  })
}
