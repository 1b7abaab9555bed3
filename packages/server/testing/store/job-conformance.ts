import { describe, expect } from 'vitest'
import type { Job } from '../../src/domain/index.js'
import { everyPage } from './page-conformance.js'
import { type Check, sampleJob } from './world-conformance.js'

export function describeJobs(check: Check): void {
  describe('jobs', () => {
    check('are found as they were made and as they were changed', async (world) => {
      const tenant = await world.tenant()
      const made = sampleJob(tenant, 1_700_000_000_123, { description: "it's a\n\u{1F552}" })
      const get = () => world.as(tenant, (rows) => rows.jobs.get(made.id))
      expect(await world.as(tenant, (rows) => rows.jobs.insert(made))).toBe(true)
      expect(await get()).toEqual(made)
      const changed: Job = {
        ...made,
        name: 'another name',
        description: null,
        status: 'paused',
        version: 2,
        updatedAt: 8.64e15,
      }
      expect(await world.as(tenant, (rows) => rows.jobs.update(changed))).toBe(true)
      expect(await get()).toEqual(changed)
    })

    check('are read without waiting for a change', async (world) => {
      const { tenant, job } = await world.place()
      const read = () => world.as(tenant, (rows) => rows.jobs.read(job.id))
      expect(await world.during(tenant, (rows) => rows.jobs.get(job.id), read)).toEqual(job)
      await world.as(tenant, (rows) => rows.jobs.delete(job.id))
      expect(await read()).toBeNull()
    })

    check('keep a change from being undone by one at the same time', async (world) => {
      const { tenant, job } = await world.place()
      const changes = Array.from({ length: 10 }, () =>
        world.as(tenant, async (rows) => {
          const found = (await rows.jobs.get(job.id))!
          await rows.jobs.update({ ...found, version: found.version + 1 })
        }),
      )
      await Promise.all(changes)
      const found = await world.as(tenant, (rows) => rows.jobs.read(job.id))
      expect(found).toEqual({ ...job, version: job.version + 10 })
    })

    check('that do not exist are neither found nor changed', async (world) => {
      const tenant = await world.tenant()
      const none = sampleJob(tenant, 0)
      await world.as(tenant, async (rows) => {
        expect(await rows.jobs.get(none.id)).toBeNull()
        expect(await rows.jobs.update(none)).toBe(false)
        await rows.jobs.delete(none.id)
        expect((await rows.jobs.list({ limit: 5, after: null })).items).toEqual([])
      })
    })

    check('have names that no other live one of the tenant has', async (world) => {
      const { tenant, job } = await world.place()
      await world.as(tenant, async (rows) => {
        const same = sampleJob(tenant, rows.now, { name: job.name })
        expect(await rows.jobs.insert(same)).toBe(false)
        expect(await rows.jobs.get(same.id)).toBeNull()
        const other = sampleJob(tenant, rows.now, { name: 'other' })
        expect(await rows.jobs.insert(other)).toBe(true)
        expect(await rows.jobs.update({ ...other, name: job.name })).toBe(false)
        expect(await rows.jobs.get(other.id)).toEqual(other)
        expect(await rows.jobs.update({ ...job, version: 2 })).toBe(true)
      })
      const foreign = await world.tenant()
      await world.job(foreign, { name: job.name })
    })

    check('have names that one of those who want it at once gets', async (world) => {
      const tenant = await world.tenant()
      const jobs: Job[] = []
      for (let n = 0; n < 8; n++) jobs.push(await world.job(tenant))
      const renamed = await Promise.all(
        jobs.map((job) => world.as(tenant, (rows) => rows.jobs.update({ ...job, name: 'wanted' }))),
      )
      expect(renamed.filter((hasIt) => hasIt)).toHaveLength(1)
      const winner = jobs[renamed.indexOf(true)]!
      const { items } = await world.as(tenant, (rows) => rows.jobs.list({ limit: 9, after: null }))
      const named = items.filter(({ name }) => name === 'wanted')
      expect(named).toEqual([{ ...winner, name: 'wanted' }])
    })

    check('give their name away when they are archived', async (world) => {
      const { tenant, job } = await world.place()
      await world.as(tenant, async (rows) => {
        const archived: Job = { ...job, status: 'archived' }
        expect(await rows.jobs.update(archived)).toBe(true)
        const heir = sampleJob(tenant, rows.now, { name: job.name })
        expect(await rows.jobs.insert(heir)).toBe(true)
        expect(await rows.jobs.update({ ...heir, version: 2 })).toBe(true)
        expect(await rows.jobs.update(job)).toBe(false)
        expect(await rows.jobs.get(job.id)).toEqual(archived)
        expect(await rows.jobs.update({ ...archived, version: 2 })).toBe(true)
        const put = sampleJob(tenant, rows.now, { name: job.name, status: 'archived' })
        expect(await rows.jobs.insert(put)).toBe(true)
      })
    })

    check('are listed page by page in the order of their ids, by status', async (world) => {
      const tenant = await world.tenant()
      const made: Job[] = []
      for (let n = 0; n < 25; n++) {
        made.push(await world.job(tenant, { status: n % 5 === 0 ? 'paused' : 'active' }))
      }
      const ordered = made.sort((a, b) => (a.id < b.id ? -1 : 1))
      await world.as(tenant, async (rows) => {
        for (const limit of [1, 7, 25, 26]) {
          expect(await everyPage(limit, (page) => rows.jobs.list(page))).toEqual(ordered)
        }
        const paused = await everyPage(2, (page) => rows.jobs.list({ ...page, status: 'paused' }))
        expect(paused).toEqual(ordered.filter(({ status }) => status === 'paused'))
        const none = await rows.jobs.list({ limit: 5, after: null, status: 'archived' })
        expect(none).toEqual({ items: [], next: null })
      })
    })

    check('take their endpoints with them, and leave runs as history', async (world) => {
      const place = await world.place()
      const due = await world.due(place)
      const kept = await world.due({ ...place, job: await world.job(place.tenant) })
      await world.claim()
      await world.as(place.tenant, async (rows) => {
        await rows.jobs.delete(place.job.id)
        expect(await rows.jobs.get(place.job.id)).toBeNull()
        expect(await rows.endpoints.get(due.endpoint.id)).toBeNull()
        expect(await rows.endpoints.get(kept.endpoint.id)).not.toBeNull()
        const { items } = await rows.endpoints.list({ limit: 5, after: null })
        expect(items.map(({ endpoint }) => endpoint.id)).toEqual([kept.endpoint.id])
      })
      expect(await world.runs(due)).toHaveLength(1)
    })
  })
}
