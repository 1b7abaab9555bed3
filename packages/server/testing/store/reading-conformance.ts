import { describe, expect } from 'vitest'
import { type Run, runStatuses } from '../../src/domain/index.js'
import type { RunFilter } from '../../src/store/index.js'
import { sampleRun } from '../sample-endpoint.js'
import { everyPage } from './page-conformance.js'
import { type Check, sampleJob } from './world-conformance.js'

const sources = ['baseline-cron', 'manual', 'replay'] as const

/** Whether a run is what somebody looks for, said once more and in the plainest way. */
export function isWanted(run: Run, filter: RunFilter, ofJob: ReadonlySet<string>): boolean {
  const { endpointId, jobId, status = [], source, from, before } = filter
  return (
    (endpointId === undefined || run.endpointId === endpointId) &&
    (jobId === undefined || ofJob.has(run.endpointId)) &&
    (status.length === 0 || status.includes(run.status)) &&
    (source === undefined || run.source === source) &&
    (from === undefined || run.scheduledFor >= from) &&
    (before === undefined || run.scheduledFor < before)
  )
}

/** Each filter alone and every two of them, and all together. */
export function everyFilter(endpointId: string, jobId: string): readonly RunFilter[] {
  const single: readonly RunFilter[] = [
    {},
    { endpointId },
    { jobId },
    { status: ['failure'] },
    { status: ['failure', 'timeout', 'success'] },
    { source: 'replay' },
    { from: 7 },
    { before: 31 },
    { from: 7, before: 31 },
  ]
  const pairs = single.flatMap((one) => single.map((other) => ({ ...one, ...other })))
  return [...pairs, Object.assign({}, ...single)]
}

/** Some runs for each of the endpoints, of every kind. */
export function mixedRuns(tenantId: string, endpointIds: readonly string[]): Run[] {
  return endpointIds.flatMap((endpointId, number) =>
    Array.from({ length: 40 }, (_, n) =>
      sampleRun(n, {
        endpointId,
        tenantId,
        status: runStatuses[(n * 5 + number) % runStatuses.length]!,
        source: sources[(n + number) % sources.length]!,
      }),
    ),
  )
}

export const newestFirst = (one: Run, other: Run): number =>
  other.scheduledFor - one.scheduledFor || (one.endpointId < other.endpointId ? 1 : -1)

export function describeReading(check: Check): void {
  describe('who only reads', () => {
    check('sees what was committed before', async (world) => {
      const { tenant, job } = await world.place()
      const found = await world.store.read(tenant.id, async (rows) => {
        const now = await rows.time()
        expect(rows.now).toBeLessThanOrEqual(now)
        return rows.jobs.read(job.id)
      })
      expect(found).toEqual(job)
    })

    check('can change nothing', async (world) => {
      const { tenant, job } = await world.place()
      const { endpoint } = await world.endpoint({ tenant, job })
      const { store } = world
      const insert = store.read(tenant.id, (rows) => rows.jobs.insert(sampleJob(tenant, 77)))
      await expect(insert).rejects.toMatchObject({ name: 'StoreError', applied: 'no' })
      const remove = store.read(tenant.id, (rows) => rows.endpoints.delete(endpoint.id))
      await expect(remove).rejects.toMatchObject({ name: 'StoreError', applied: 'no' })
      const left = await store.read(tenant.id, (rows) => rows.endpoints.read(endpoint.id))
      expect(left?.endpoint).toEqual(endpoint)
    })

    check('rejects with the very error of his work, and reads on afterwards', async (world) => {
      const { tenant, job } = await world.place()
      const error = new RangeError('halfway')
      const work = world.store.read(tenant.id, async (rows) => {
        await rows.jobs.read(job.id)
        throw error
      })
      await expect(work).rejects.toBe(error)
      expect(await world.store.read(tenant.id, (rows) => rows.jobs.read(job.id))).toEqual(job)
    })

    check('finds nothing of strangers', async (world) => {
      const { job } = await world.place()
      const stranger = await world.tenant()
      expect(await world.store.read(stranger.id, (rows) => rows.jobs.read(job.id))).toBeNull()
    })

    check('reads bodies as they came', async (world) => {
      const place = await world.place()
      await world.due(place)
      const run = await world.claimOne()
      const body = Uint8Array.from({ length: 5_000 }, (_, n) => (n * n) % 256)
      const response = { httpStatus: 200, headers: {}, truncated: false, body }
      await world.recordOne(run, { response })
      const read = await world.store.read(place.tenant.id, (rows) => rows.runs.body(run))
      expect(Buffer.from(read!).equals(body)).toBe(true)
    })

    check('shares the store with many others', async (world) => {
      const places = await Promise.all(Array.from({ length: 5 }, () => world.place()))
      const all = places.flatMap((place) => Array.from({ length: 5 }, () => place))
      const found = await Promise.all(
        all.map(({ tenant, job }) =>
          world.store.read(tenant.id, async (rows) => [
            await rows.jobs.read(job.id),
            (await rows.tenant.get()).id,
          ]),
        ),
      )
      expect(found).toEqual(all.map(({ tenant, job }) => [job, tenant.id]))
    })

    check('finds runs by each filter and all of them together', async (world) => {
      const place = await world.place()
      const other = { ...place, job: await world.job(place.tenant) }
      const inJob = [await world.endpoint(place), await world.endpoint(place)]
      const outside = await world.endpoint(other)
      const ids = [...inJob, outside].map(({ endpoint }) => endpoint.id)
      const ofJob = new Set(inJob.map(({ endpoint }) => endpoint.id))
      const runs = mixedRuns(place.tenant.id, ids)
      await world.as(place.tenant, async (rows) => {
        for (const run of runs) expect(await rows.runs.insert(run)).toBe(true)
      })
      for (const filter of everyFilter(ids[0]!, place.job.id)) {
        const wanted = runs.filter((run) => isWanted(run, filter, ofJob)).toSorted(newestFirst)
        const found = await world.store.read(place.tenant.id, (rows) =>
          everyPage(6, (page) => rows.runs.list({ ...page, ...filter })),
        )
        expect(found, JSON.stringify(filter)).toEqual(wanted)
      }
    })

    check('does not find by job what belongs to an endpoint of another one', async (world) => {
      const place = await world.place()
      const elsewhere = await world.job(place.tenant)
      const { endpoint } = await world.endpoint(place)
      const [run] = mixedRuns(place.tenant.id, [endpoint.id])
      await world.as(place.tenant, (rows) => rows.runs.insert(run!))
      const found = await world.store.read(place.tenant.id, (rows) =>
        rows.runs.list({ endpointId: endpoint.id, jobId: elsewhere.id, limit: 5, after: null }),
      )
      expect(found).toEqual({ items: [], next: null })
    })

    check('finds runs of a job with many endpoints', async (world) => {
      const place = await world.place()
      const ids: string[] = []
      for (let n = 0; n < 40; n++) ids.push((await world.endpoint(place)).endpoint.id)
      const outside = await world.endpoint({ ...place, job: await world.job(place.tenant) })
      const runs = mixedRuns(place.tenant.id, [...ids, outside.endpoint.id]).filter(
        ({ scheduledFor }) => scheduledFor < 3,
      )
      await world.as(place.tenant, async (rows) => {
        for (const run of runs) await rows.runs.insert(run)
      })
      const jobId = place.job.id
      for (const filter of [{ jobId }, { jobId, source: 'replay' }] satisfies RunFilter[]) {
        const wanted = runs
          .filter((run) => isWanted(run, filter, new Set(ids)))
          .toSorted(newestFirst)
        const found = await world.store.read(place.tenant.id, (rows) =>
          everyPage(50, (page) => rows.runs.list({ ...page, ...filter })),
        )
        expect(found).toEqual(wanted)
      }
    })
  })
}
