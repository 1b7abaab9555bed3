import { describe, expect } from 'vitest'
import type {
  Endpoint,
  EndpointDefinition,
  EndpointWithPlan,
  Plan,
} from '../../src/domain/index.js'
import { byCron } from '../sample-endpoint.js'
import { everyPage } from './page-conformance.js'
import { type Check, minute, sample } from './world-conformance.js'

const everything: EndpointDefinition = {
  name: 'all of it',
  description: '"quoted" \\ and \u{1F552}',
  url: 'https://example.com/{{runId}}?a=b&c=%20',
  method: 'PATCH',
  headers: { 'x-key': 'sealed:abc', accept: '*/*' },
  body: { kind: 'json', content: '{"a":[1,null]}', contentType: 'application/json' },
  baseline: { cron: '*/5 * * * *', timezone: 'Europe/Paris', intervalMs: null, jitterMs: null },
  minIntervalMs: 1,
  maxIntervalMs: 2,
  timeoutMs: 3,
  maxExecutionTimeMs: 4,
  maxResponseSizeKb: 5,
  concurrency: 'replace',
  deadlineMs: 6,
  retry: { attempts: 3, backoffMs: 10, maxDelayMs: 100, jitter: 0.25 },
  onWorkerLoss: 'redeliver',
  redirects: 'follow',
  failureCountPolicy: 'increment',
  steering: true,
  planner: 'off',
  adaptive: { outsideCron: true, budget: 0.5, changeOf: ['/status'] },
  secret: 'its own',
  keepResponses: false,
}

/** Every field that a plan has, with a value that is not its default. */
const fullPlan: Omit<Plan, 'endpointId' | 'tenantId' | 'version' | 'createdAt'> = {
  nextRunAt: 8.64e15,
  source: 'quota',
  periodId: '2026-03-01T00:00:00Z',
  requested: { at: 8.63e15, source: 'replay' },
  held: { scheduledFor: 8.62e15, source: 'ai-oneshot', leaseUntil: 8.63e15, deliveries: 4 },
  fence: 2 ** 40,
  handledThrough: 8.62e15,
  responsibility: { timing: '0123456789abcdef', since: 1_600_000_000_001 },
  lastRunAt: 1_700_000_000_001,
  lastStatus: 'timeout',
  failureCount: 77,
  pausedUntil: 8.61e15,
  pauseReason: `a "requested": reason'`,
  intervalHint: { intervalMs: 5, expiresAt: 6, reason: null, by: 'planner:rules' },
  oneShotHint: { nextRunAt: 7, expiresAt: 8, reason: 'r', by: 'response' },
  suspended: true,
  exact: true,
  restoredAt: 1_700_000_000_002,
}

const idOf = ({ endpoint }: EndpointWithPlan): string => endpoint.id

export function describeEndpoints(check: Check): void {
  describe('endpoints', () => {
    check('are found as they were made, with their plan', async (world) => {
      const place = await world.place()
      const plain = await world.endpoint(place)
      const full = await world.endpoint(place, everything, fullPlan)
      await world.as(place.tenant, async (rows) => {
        expect(await rows.endpoints.get(plain.endpoint.id)).toEqual(plain)
        expect(await rows.endpoints.get(full.endpoint.id)).toEqual(full)
      })
    })

    check('change as a whole, and their plans by themselves', async (world) => {
      const place = await world.place()
      const { endpoint, plan } = await world.endpoint(place)
      const changed: Endpoint = {
        ...endpoint,
        version: 2,
        updatedAt: 1_700_000_000_001,
        archivedAt: 1_700_000_000_002,
        definition: everything,
      }
      await world.as(place.tenant, async (rows) => {
        expect(await rows.endpoints.update(changed)).toBe(true)
        expect(await rows.endpoints.get(endpoint.id)).toEqual({ endpoint: changed, plan })
        const next: Plan = { ...plan, ...fullPlan, version: 2 }
        await rows.plans.put(next)
        expect(await rows.endpoints.get(endpoint.id)).toEqual({ endpoint: changed, plan: next })
        await rows.plans.put(plan)
        expect(await rows.endpoints.get(endpoint.id)).toEqual({ endpoint: changed, plan })
      })
    })

    check('have names that no other live one of the job has', async (world) => {
      const place = await world.place()
      const { endpoint } = await world.endpoint(place, { name: 'taken' })
      const other = await world.endpoint(place, { name: 'other' })
      const renamed = { ...other.endpoint, definition: endpoint.definition }
      await world.as(place.tenant, async (rows) => {
        const same = sample(place.tenant, place.job.id, rows.now, { name: 'taken' })
        expect(await rows.endpoints.insert(same.endpoint, same.plan)).toBe(false)
        expect(await rows.endpoints.get(same.endpoint.id)).toBeNull()
        expect(await rows.endpoints.update(renamed)).toBe(false)
        expect(await rows.endpoints.get(idOf(other))).toEqual(other)
        expect(await rows.endpoints.update({ ...endpoint, archivedAt: 1 })).toBe(true)
        expect(await rows.endpoints.update(renamed)).toBe(true)
        expect(await rows.endpoints.update(endpoint)).toBe(false)
        // One that is archived has given its name away, and can be changed all the same.
        expect(await rows.endpoints.update({ ...endpoint, archivedAt: 2 })).toBe(true)
      })
      const job = await world.job(place.tenant)
      const elsewhere = await world.endpoint({ ...place, job }, { name: 'taken' })
      expect(await world.plan(elsewhere)).toEqual(elsewhere.plan)
      await world.as(place.tenant, async (rows) => {
        expect(await rows.endpoints.update({ ...elsewhere.endpoint, version: 2 })).toBe(true)
      })
    })

    check('have names that one of those who want it at once gets', async (world) => {
      const place = await world.place()
      const made: EndpointWithPlan[] = []
      for (let n = 0; n < 8; n++) made.push(await world.endpoint(place))
      const renamed = await Promise.all(
        made.map(({ endpoint }) =>
          world.as(place.tenant, (rows) => {
            const definition = { ...endpoint.definition, name: 'wanted' }
            return rows.endpoints.update({ ...endpoint, definition })
          }),
        ),
      )
      expect(renamed.filter((hasIt) => hasIt)).toHaveLength(1)
      const winner = idOf(made[renamed.indexOf(true)]!)
      const listed = await world.as(place.tenant, (rows) => everyPage(9, rows.endpoints.list))
      const named = listed.filter(({ endpoint }) => endpoint.definition.name === 'wanted')
      expect(named.map(idOf)).toEqual([winner])
    })

    check('need a job of their tenant', async (world) => {
      const { tenant, job } = await world.place()
      const foreign = await world.place()
      await world.as(tenant, async (rows) => {
        for (const jobId of ['job_of_nobody', foreign.job.id]) {
          const { endpoint, plan } = sample(tenant, jobId, rows.now)
          expect(await rows.endpoints.insert(endpoint, plan)).toBe(false)
        }
        const { endpoint, plan } = sample(tenant, job.id, rows.now)
        expect(await rows.endpoints.insert(endpoint, plan)).toBe(true)
        expect(await rows.endpoints.update({ ...endpoint, id: 'ep_of_nobody' })).toBe(false)
        expect(await rows.tenant.usage()).toMatchObject({ endpoints: 1 })
      })
    })

    check('are listed page by page in the order of their ids, by job and state', async (world) => {
      const place = await world.place()
      const other = { ...place, job: await world.job(place.tenant) }
      const made: EndpointWithPlan[] = []
      for (let n = 0; n < 21; n++) made.push(await world.endpoint(n % 3 === 0 ? other : place))
      await world.as(place.tenant, async (rows) => {
        const gone = { ...made[4]!.endpoint, archivedAt: 1 }
        await rows.endpoints.update(gone)
        made[4] = { ...made[4]!, endpoint: gone }
        made.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
        const { list } = rows.endpoints
        expect(await everyPage(4, list)).toEqual(made)
        const isLive = ({ endpoint }: EndpointWithPlan) => endpoint.archivedAt === null
        const live = await everyPage(5, (page) => list({ ...page, archived: false }))
        expect(live).toEqual(made.filter(isLive))
        const archived = await list({ limit: 5, after: null, archived: true })
        expect(archived.items.map(idOf)).toEqual([gone.id])
        const jobId = other.job.id
        const ofJob = await everyPage(2, (page) => list({ ...page, jobId, archived: false }))
        expect(ofJob).toEqual(made.filter(({ endpoint }) => endpoint.jobId === jobId))
      })
    })

    check('end a page early once it is large, and lose none by that', async (world) => {
      const place = await world.place()
      const body = { kind: 'text', content: 'é'.repeat(200_000), contentType: null } as const
      for (let n = 0; n < 4; n++) await world.endpoint(place, { body })
      await world.endpoint(place)
      await world.as(place.tenant, async (rows) => {
        const { list } = rows.endpoints
        const page = await list({ limit: 200, after: null })
        expect(page.items).toHaveLength(3)
        expect(page.next).toBe(idOf(page.items.at(-1)!))
        const rest = await list({ limit: 200, after: page.next })
        expect([rest.items.length, rest.next]).toEqual([2, null])
        expect((await list({ limit: 3, after: null })).next).toBe(page.next)
      })
    })

    check('are gone with their plan when they are deleted, and wake no more', async (world) => {
      const place = await world.place()
      const due = await world.due(place)
      await world.as(place.tenant, async (rows) => {
        await rows.endpoints.delete(due.endpoint.id)
        expect(await rows.endpoints.get(due.endpoint.id)).toBeNull()
        await rows.plans.put(due.plan)
        expect(await rows.endpoints.get(due.endpoint.id)).toBeNull()
      })
      expect(await world.claim()).toMatchObject({ claimed: [], nextWakeAt: null })
      expect(world.broken).toEqual([])
    })

    check('keep an edit from being undone by a change at the same time', async (world) => {
      const place = await world.place()
      const { endpoint } = await world.endpoint(place, byCron('0 0 1 1 *'))
      const pauses = Array.from({ length: 10 }, (_, n) =>
        world.as(place.tenant, async (rows) => {
          const found = (await rows.endpoints.get(endpoint.id))!
          const { failureCount } = found.plan
          const pausedUntil = rows.now + n * minute
          await rows.plans.put({ ...found.plan, pausedUntil, failureCount: failureCount + 1 })
        }),
      )
      await Promise.all(pauses)
      const found = await world.as(place.tenant, (rows) => rows.endpoints.get(endpoint.id))
      expect(found!.plan.failureCount).toBe(10)
    })
  })
}
