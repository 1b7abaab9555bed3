import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byInterval, sampleRun } from '../../../testing/sample-endpoint.js'
import { sampleOutcome } from '../../../testing/sample-outcome.js'
import { answered, SampleStore } from '../../../testing/sample-store.js'
import { sampleSession } from '../../../testing/store/history-conformance.js'
import { sampleKey } from '../../../testing/store/key-conformance.js'
import { sampleSecret } from '../../../testing/store/secret-conformance.js'
import { strictRules } from '../../../testing/store/sql/rules-conformance.js'
import { type Endpoint, monthEnd, noSystemQuotas, type Tenant } from '../../domain/index.js'
import type { TenantTransaction } from '../index.js'

/*
 * What the conformance suite can't do on a clock that runs: the very instants at which something
 * ends. The texts of these statements are the same on both databases.
 */

const hour = 3_600_000
const day = 24 * hour
const retention = { runDays: 10, bodyDays: 2, runsPerEndpoint: 1000 }

let sample: SampleStore
let tenant: Tenant
beforeEach(async () => {
  sample = await SampleStore.open({ retention })
  tenant = (await sample.store.system((rows) => rows.tenant(sample.tenantId)))!
})
afterEach(() => sample.store.close())

const as = <Result>(work: (rows: TenantTransaction) => Promise<Result>): Promise<Result> =>
  sample.store.tenant(sample.tenantId, work)
const prune = (limit = 100) => sample.store.system((rows) => rows.prune(tenant, limit))

const planning = strictRules()
let claims = 0
const claim = async (withinMs = 0) => {
  const request = { owner: 'w', limit: 100, withinMs, crowd: 100 }
  return sample.store.claim({ ...request, claimId: `instants ${++claims}` }, planning)
}

const instantsOf = async ({ id }: Endpoint): Promise<number[]> => {
  const { items } = await as(({ runs }) => runs.list({ endpointId: id, limit: 50, after: null }))
  return items.map(({ scheduledFor }) => scheduledFor).toReversed()
}

describe('what is kept for some days', () => {
  it('is kept at the end of the last one, and not after it', async () => {
    const endpoint = await sample.addEndpoint()
    const end = sample.now - retention.runDays * day
    await as(async (rows) => {
      for (const at of [end - 1, end, end + 1]) {
        await rows.runs.insert(sampleRun(at, { endpointId: endpoint.id }))
        await rows.sessions.append(sampleSession(tenant, at, endpoint.id))
      }
    })
    expect(await prune()).toMatchObject({ runs: 1, others: 1 })
    expect(await instantsOf(endpoint)).toEqual([end, end + 1])
    const { items } = await as(({ sessions }) => sessions.list({ limit: 9, after: null }))
    expect(items.map(({ startedAt }) => startedAt)).toEqual([end + 1, end])
  })

  it('is kept of a deleted endpoint, which is known as long as its runs are', async () => {
    const endpoint = await sample.addEndpoint()
    await as(async (rows) => {
      await rows.runs.insert(sampleRun(sample.now, { endpointId: endpoint.id }))
      await rows.endpoints.delete(endpoint.id)
    })
    const ofJob = { jobId: endpoint.jobId, limit: 9, after: null }
    const found = async () => (await as(({ runs }) => runs.list(ofJob))).items.length
    sample.now += retention.runDays * day
    expect([await prune(), await found()]).toEqual([{ runs: 0, bodies: 0, others: 0 }, 1])
    sample.now += 1
    expect([await prune(), await found()]).toEqual([{ runs: 1, bodies: 0, others: 1 }, 0])
  })

  it('is emptied of bodies batch by batch, until no old one is left', async () => {
    const endpoints = [
      await sample.addEndpoint(byInterval(hour)),
      await sample.addEndpoint(byInterval(hour)),
    ]
    const instants: number[] = []
    for (let n = 0; n < 4; n++) {
      sample.now = (await sample.planOf(endpoints[0]!)).nextRunAt!
      instants.push(sample.now)
      const { claimed } = await claim()
      const said = answered(200, {}, 'a body')
      await sample.store.record(
        claimed.map((run) => sampleOutcome(run, sample.now, said)),
        planning,
      )
    }
    sample.now = instants[2]! + retention.bodyDays * day
    const emptied: number[] = []
    while (emptied.at(-1) !== 0) emptied.push((await prune(1)).bodies)
    expect(emptied).toEqual([1, 1, 1, 1, 0])
    for (const { id: endpointId } of endpoints) {
      const bodies = instants.map((scheduledFor) =>
        as(({ runs }) => runs.body({ endpointId, scheduledFor })),
      )
      const isKept = (await Promise.all(bodies)).map((body) => body !== null)
      expect(isKept).toEqual([false, false, true, true])
    }
  })

  it('is kept of claims and of answers until the instant that is named', async () => {
    await claim()
    await as((rows) => rows.idempotency.get('key'))
    await as((rows) => rows.logOuts.add('session', sample.now))
    const removed = (before: number) => sample.store.system((rows) => rows.pruneTraces(before, 100))
    expect([await removed(sample.now), await removed(sample.now + 1)]).toEqual([0, 3])
  })
})

describe('what expires now', () => {
  it('is a key that can no longer be used', async () => {
    const ends = [sample.now - 1, sample.now, sample.now + 1, null]
    const keys = ends.map((expiresAt) => sampleKey(tenant, sample.now, { expiresAt }))
    await as(async (rows) => {
      for (const key of keys) await rows.keys.insert(key, key.id)
    })
    const ids = keys.map(({ id }) => id)
    const usable = await sample.store.system((rows) => rows.usableKeys(ids))
    expect(ids.map((id) => usable.has(id))).toEqual([false, false, true, true])
  })

  it('is a sealed value that nobody needs the key of', async () => {
    const ofKey = (id: string) => sample.store.system((rows) => rows.sealedSample(id))
    const value = (sealed: string, expiresAt: number) => ({ sealed, createdAt: 1, expiresAt })
    const values = [value('k1.aaaaaaaa.x', sample.now), value('k1.bbbbbbbb.x', sample.now + 1)]
    await as((rows) => rows.secrets.put({ ...sampleSecret(tenant, 'default'), values }))
    expect(await ofKey('aaaaaaaa')).toBeNull()
    expect(await ofKey('bbbbbbbb')).toMatchObject({ sealed: 'k1.bbbbbbbb.x' })
  })
})

describe('what is used of a month', () => {
  it('counts to its last instant, and from nothing in the next one', async () => {
    const used = async () => {
      const own = await as((rows) => rows.tenant.usage())
      const ofAll = await sample.store.system((rows) => rows.usage())
      return [own, ofAll].map(({ runs, aiCalls, aiTokens }) => [runs, aiCalls, aiTokens])
    }
    await sample.run(await sample.addEndpoint(byInterval(hour)))
    await as((rows) => rows.tenant.count({ aiCalls: 2, aiTokens: 30 }))
    const end = monthEnd(sample.now)
    sample.now = end - 1
    expect(await used()).toEqual([
      [1, 2, 30],
      [1, 2, 30],
    ])
    sample.now = end
    expect(await used()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
  })

  it.each([
    ['a tenant', { runsPerMonth: 1 }, noSystemQuotas],
    ['the whole system', {}, { ...noSystemQuotas, runsPerMonth: 1 }],
  ])('leaves the quota of %s whole in the next one', async (_, quotas, systemQuotas) => {
    const limited = await SampleStore.open({ quotas }, systemQuotas)
    await limited.run(await limited.addEndpoint(byInterval(40 * day)))
    limited.now += 41 * day
    const request = { claimId: 'later', owner: 'w', limit: 9, withinMs: 0, crowd: 9 }
    const { claimed } = await limited.store.claim(request, strictRules())
    await limited.store.close()
    expect(claimed).toHaveLength(1)
  })
})

describe('a job that is suspended', () => {
  it.each([
    ['at the very instant of a run goes on with it', 0, []],
    ['just before a run that was claimed takes it back', 1, ['taken back']],
  ])('%s', async (_name, earlier, expected) => {
    const endpoint = await sample.addEndpoint(byInterval(hour))
    const at = (await sample.planOf(endpoint)).nextRunAt!
    sample.now = at - 100
    expect((await claim(1000)).claimed).toHaveLength(1)
    sample.now = at - earlier
    const taken = await as((rows) => rows.plans.suspend(endpoint.jobId, 'paused'))
    expect(taken.map(() => 'taken back')).toEqual(expected)
    const { held, fence } = await sample.planOf(endpoint)
    expect([held === null, fence]).toEqual(earlier === 0 ? [false, 1] : [true, 2])
  })
})

describe('a restore', () => {
  it('is forgotten with a run at its very instant, and not before', async () => {
    const endpoint = await sample.addEndpoint()
    const plan = await sample.planOf(endpoint)
    const kept = async (lastRunAt: number) => {
      await as((rows) => rows.plans.put({ ...plan, restoredAt: sample.now, lastRunAt }))
      return (await sample.planOf(endpoint)).restoredAt
    }
    expect([await kept(sample.now - 1), await kept(sample.now)]).toEqual([sample.now, null])
  })

  it('changes the plans of more endpoints than it reads at once', async () => {
    const template = await sample.addEndpoint()
    const plan = await sample.planOf(template)
    await as(async (rows) => {
      for (let n = 0; n < 1000; n++) {
        const id = `ep_${String(n).padStart(26, 'z')}`
        const definition = { ...template.definition, name: id }
        await rows.endpoints.insert({ ...template, id, definition }, { ...plan, endpointId: id })
      }
    })
    const seen = new Set<string>()
    const restored = await sample.store.system((rows) =>
      rows.restore((each) => {
        seen.add(each.endpointId)
        return each
      }),
    )
    expect([restored.endpoints, seen.size]).toEqual([1001, 1001])
  })
})
