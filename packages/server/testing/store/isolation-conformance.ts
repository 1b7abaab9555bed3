import { describe, expect } from 'vitest'
import {
  type ApiKey,
  type EndpointWithPlan,
  noSystemQuotas,
  type PlannerSession,
  type Run,
  type SigningSecret,
} from '../../src/domain/index.js'
import type { Page, TenantTransaction } from '../../src/store/index.js'
import { sampleRun } from '../sample-endpoint.js'
import { sampleSession } from './history-conformance.js'
import { sampleKey } from './key-conformance.js'
import { sampleSecret } from './secret-conformance.js'
import { type Check, outcomeOf, type Place, type World } from './world-conformance.js'

/** A tenant that has one of everything. */
interface Owner extends Place {
  readonly made: EndpointWithPlan
  readonly run: Run
  readonly key: ApiKey
  readonly secret: SigningSecret
  readonly session: PlannerSession
}

type Groups = Omit<TenantTransaction, 'tenantId' | 'now' | 'time' | 'wakeAt' | 'abort'>
/** What a foreign tenant tries, and what it must see. */
type Attempt = (rows: TenantTransaction, owner: Owner) => Promise<void>
/** An entry for each method there is: without one for a new method this does not compile. */
type Attempts = {
  readonly [Group in keyof Groups]: { readonly [Method in keyof Groups[Group]]: Attempt }
}

const all = { limit: 100, after: null }
/** All that is told of others. */
const sums = ['month', 'runs', 'aiCalls', 'aiTokens']
const empty: Page<never> = { items: [], next: null }

async function refused(work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toThrow()
}

const attempts: Attempts = {
  tenant: {
    get: async (rows, { tenant }) => expect((await rows.tenant.get()).id).not.toBe(tenant.id),
    lock: async (rows, { tenant }) => expect((await rows.tenant.lock()).id).not.toBe(tenant.id),
    update: async (rows, { tenant }) => {
      await rows.tenant.update({ quotas: { ...tenant.quotas, endpoints: 0 } })
    },
    suspend: async (rows) => {
      await rows.tenant.suspend(rows.now)
      await rows.tenant.suspend(null)
    },
    usage: async (rows) => {
      expect(await rows.tenant.usage()).toMatchObject({ endpoints: 0, runs: 0, aiCalls: 0 })
    },
    count: async (rows) => rows.tenant.count({ aiCalls: 5, aiTokens: 5 }),
  },
  system: {
    quotas: async (rows) => expect(rows.system.quotas).toEqual(noSystemQuotas),
    usage: async (rows) => expect(Object.keys(await rows.system.usage())).toEqual(sums),
    lockUsage: async (rows) => expect(Object.keys(await rows.system.lockUsage())).toEqual(sums),
  },
  jobs: {
    get: async (rows, { job }) => expect(await rows.jobs.get(job.id)).toBeNull(),
    read: async (rows, { job }) => expect(await rows.jobs.read(job.id)).toBeNull(),
    list: async (rows) => expect(await rows.jobs.list(all)).toEqual(empty),
    insert: async (rows, { job }) => {
      expect(await rows.jobs.insert({ ...job, name: 'mine' })).toBe(false)
    },
    update: async (rows, { job }) => {
      expect(await rows.jobs.update({ ...job, name: 'mine' })).toBe(false)
    },
    delete: async (rows, { job }) => rows.jobs.delete(job.id),
  },
  endpoints: {
    get: async (rows, { made }) => {
      expect(await rows.endpoints.get(made.endpoint.id)).toBeNull()
    },
    read: async (rows, { made }) => {
      expect(await rows.endpoints.read(made.endpoint.id)).toBeNull()
    },
    list: async (rows, { job }) => {
      expect(await rows.endpoints.list(all)).toEqual(empty)
      expect(await rows.endpoints.list({ ...all, jobId: job.id })).toEqual(empty)
    },
    insert: async (rows, { made, job }) => {
      const { endpoint, plan } = made
      const id = `${endpoint.id.slice(0, -4)}zzzz`
      const definition = { ...endpoint.definition, name: 'mine' }
      const own = { ...endpoint, tenantId: rows.tenantId, definition }
      expect(await rows.endpoints.insert(own, plan)).toBe(false)
      expect(await rows.endpoints.insert({ ...own, id }, { ...plan, endpointId: id })).toBe(false)
      const mine = { ...job, id: `${job.id.slice(0, -4)}zzzz`, tenantId: rows.tenantId }
      await rows.jobs.insert(mine)
      // The plan says it is the other's; who asks decides whose it is.
      expect(await rows.endpoints.insert({ ...own, id, jobId: mine.id }, plan)).toBe(true)
      expect((await rows.endpoints.get(id))!.plan).toMatchObject({
        endpointId: id,
        tenantId: rows.tenantId,
      })
      const taken = { ...own, jobId: mine.id, definition: { ...definition, name: 'other' } }
      expect(await rows.endpoints.insert(taken, plan)).toBe(false)
    },
    update: async (rows, { made }) => {
      expect(await rows.endpoints.update({ ...made.endpoint, version: 9 })).toBe(false)
    },
    delete: async (rows, { made }) => rows.endpoints.delete(made.endpoint.id),
  },
  plans: {
    put: async (rows, { made }) => {
      await rows.plans.put({ ...made.plan, pausedUntil: 8e15 })
    },
    suspend: async (rows, { job }) => {
      expect(await rows.plans.suspend(job.id, 'mine')).toEqual([])
    },
    unsuspend: async (rows, { job }) => {
      await rows.plans.unsuspend(job.id)
    },
  },
  memories: {
    read: async (rows, { made }) => {
      expect(await rows.memories.read(made.endpoint.id)).toBeNull()
    },
  },
  runs: {
    get: async (rows, { run }) => expect(await rows.runs.get(run)).toBeNull(),
    read: async (rows, { run }) => expect(await rows.runs.read(run)).toBeNull(),
    list: async (rows, { run, job }) => {
      expect(await rows.runs.list(all)).toEqual(empty)
      expect(await rows.runs.list({ ...all, endpointId: run.endpointId })).toEqual(empty)
      expect(await rows.runs.list({ ...all, jobId: job.id })).toEqual(empty)
    },
    open: async (rows, { run, job }) => {
      expect(await rows.runs.open({ endpointId: run.endpointId })).toEqual([])
      expect(await rows.runs.open({ jobId: job.id })).toEqual([])
    },
    body: async (rows, { run }) => expect(await rows.runs.body(run)).toBeNull(),
    insert: async (rows, { run }) => {
      expect(await rows.runs.insert(run)).toBe(false)
      expect(await rows.runs.insert({ ...run, scheduledFor: run.scheduledFor + 1 })).toBe(false)
    },
    end: async (rows, { run, made }) => {
      const end = { status: 'cancelled', reason: 'mine', at: 5 } as const
      expect(await rows.runs.end(run, end)).toBe(false)
      const open = { endpointId: made.endpoint.id, scheduledFor: openAt }
      expect(await rows.runs.end(open, end)).toBe(false)
    },
  },
  keys: {
    list: async (rows) => expect(await rows.keys.list(all)).toEqual(empty),
    get: async (rows, { key }) => expect(await rows.keys.get(key.id)).toBeNull(),
    insert: async (rows, { key }) => refused(rows.keys.insert(key, `${key.id} again`)),
    revoke: async (rows, { key }) => rows.keys.revoke(key.id, 5),
  },
  secrets: {
    list: async (rows) => expect(await rows.secrets.list(all)).toEqual(empty),
    get: async (rows, { secret }) => expect(await rows.secrets.get(secret.name)).toBeNull(),
    read: async (rows, { secret }) => expect(await rows.secrets.read(secret.name)).toBeNull(),
    put: async (rows, { secret }) => {
      await rows.secrets.put({ ...secret, version: 9, values: [] })
      expect(await rows.secrets.get(secret.name)).toMatchObject({ tenantId: rows.tenantId })
    },
    delete: async (rows, { secret }) => {
      expect(await rows.secrets.delete(secret.name)).toBe(false)
    },
  },
  audit: {
    append: async (rows, { made }) => rows.audit.append(entryOn(made.endpoint.id)),
    list: async (rows, { made }) => {
      expect(await rows.audit.list(all)).toEqual(empty)
      expect(await rows.audit.list({ ...all, subject: made.endpoint.id })).toEqual(empty)
    },
  },
  sessions: {
    append: async (rows, { session }) => refused(rows.sessions.append(session)),
    get: async (rows, { session }) => expect(await rows.sessions.get(session.id)).toBeNull(),
    list: async (rows, { made }) => {
      expect(await rows.sessions.list(all)).toEqual(empty)
      const endpointId = made.endpoint.id
      expect(await rows.sessions.list({ ...all, endpointId })).toEqual(empty)
    },
  },
  logOuts: {
    add: (rows) => rows.logOuts.add('other', rows.now),
    has: async (rows) => expect(await rows.logOuts.has('ended')).toBe(false),
  },
  idempotency: {
    get: async (rows) => expect(await rows.idempotency.get('k')).toBeNull(),
    put: async (rows) => {
      await rows.idempotency.get('k')
      await rows.idempotency.put('k', { ...answer, status: 500 })
    },
  },
}

const openAt = 77
const answer = { requestHash: 'h', status: 200, body: 'b', headers: {} }

const entryOn = (subject: string) => ({
  actor: 'key:x',
  action: 'endpoint.pause',
  subject,
  before: null,
  after: { a: 1 },
  reason: null,
})

async function ownerOfAll(world: World): Promise<Owner> {
  const place = await world.place()
  const made = await world.due(place)
  const claimed = await world.claimOne()
  const body = new TextEncoder().encode('secret body')
  const response = { httpStatus: 200, headers: {}, truncated: false, body }
  await world.record(outcomeOf(claimed, { response }))
  const [run] = await world.runs(made)
  return world.as(place.tenant, async (rows) => {
    const key = sampleKey(place.tenant, rows.now)
    const secret = sampleSecret(place.tenant, 'main')
    const session = sampleSession(place.tenant, rows.now, made.endpoint.id)
    const tenantId = place.tenant.id
    const open = { endpointId: made.endpoint.id, tenantId, status: 'running' } as const
    await rows.runs.insert(sampleRun(openAt, open))
    await rows.keys.insert(key, key.id)
    await rows.secrets.put(secret)
    await rows.sessions.append(session)
    await rows.audit.append(entryOn(made.endpoint.id))
    await rows.tenant.count({ aiCalls: 1 })
    await rows.idempotency.get('k')
    await rows.idempotency.put('k', answer)
    await rows.logOuts.add('ended', rows.now)
    return { ...place, made, run: run!, key, secret, session }
  })
}

/** All that the owner can see of its own. */
function everything(world: World, { tenant, job, run }: Owner): Promise<unknown> {
  return world.as(tenant, async (rows) => ({
    tenant: await rows.tenant.get(),
    usage: await rows.tenant.usage(),
    jobs: await rows.jobs.list(all),
    endpoints: await rows.endpoints.list(all),
    runs: await rows.runs.list(all),
    ofJob: await rows.runs.list({ ...all, jobId: job.id }),
    body: Buffer.from((await rows.runs.body(run))!).toString(),
    keys: await rows.keys.list(all),
    secrets: await rows.secrets.list(all),
    audit: await rows.audit.list(all),
    sessions: await rows.sessions.list(all),
    answer: await rows.idempotency.get('k'),
    logOuts: [await rows.logOuts.has('ended'), await rows.logOuts.has('other')],
  }))
}

export function describeIsolation(check: Check): void {
  describe('a foreign tenant', () => {
    check('has a case for each method there is', async (world) => {
      const tenant = await world.tenant()
      const methods = await world.as(tenant, async (rows) =>
        Object.fromEntries(
          Object.entries(rows)
            .filter(([, group]) => typeof group === 'object')
            .map(([name, group]) => [name, Object.keys(group as object).sort()]),
        ),
      )
      const cases = Object.entries(attempts).map(([name, group]) => [
        name,
        Object.keys(group).sort(),
      ])
      expect(methods).toEqual(Object.fromEntries(cases))
    })

    for (const [name, group] of Object.entries(attempts)) {
      for (const [method, attempt] of Object.entries(group) as [string, Attempt][]) {
        check(`sees and changes nothing by ${name}.${method}`, async (world) => {
          const owner = await ownerOfAll(world)
          const foreign = await world.tenant()
          const before = await everything(world, owner)
          let isTried = false
          const work = world.as(foreign, async (rows) => {
            await attempt(rows, owner)
            isTried = true
          })
          // On PostgreSQL a refused statement ends the transaction around it as well.
          await work.catch((error: unknown) => {
            if (!isTried) throw error
          })
          expect(isTried).toBe(true)
          expect(await everything(world, owner)).toEqual(before)
        })
      }
    }
  })
}
