import { describe, expect } from 'vitest'
import type { HeldRun, RunKey } from '../../src/domain/index.js'
import type { RunEvent, SecretKey, TenantTransaction } from '../../src/store/index.js'
import { sampleSecret } from './secret-conformance.js'
import { type Check, sampleJob } from './world-conformance.js'

/** Resolves with what a listener gets, up to and including what `isLast` says. */
function heard<Value>(
  listen: (listener: (value: Value) => void) => () => void,
  isLast: (value: Value) => boolean,
): Promise<Value[]> {
  return new Promise((resolve) => {
    const values: Value[] = []
    const stop = listen((value) => {
      values.push(value)
      if (!isLast(value)) return
      stop()
      resolve(values)
    })
  })
}

export function describeTransactions(check: Check): void {
  describe('a transaction', () => {
    check('that throws has done nothing, and rejects with that very error', async (world) => {
      const tenant = await world.tenant()
      const job = sampleJob(tenant, 5)
      const error = new RangeError('halfway')
      const work = world.as(tenant, async (rows) => {
        await rows.jobs.insert(job)
        await rows.tenant.count({ aiCalls: 1 })
        throw error
      })
      await expect(work).rejects.toThrow('halfway')
      await world.as(tenant, async (rows) => {
        expect(await rows.jobs.get(job.id)).toBeNull()
        expect((await rows.tenant.usage()).aiCalls).toBe(0)
      })
    })

    check('answers what its work answers', async (world) => {
      const tenant = await world.tenant()
      expect(await world.as(tenant, async () => 'an answer')).toBe('an answer')
      expect(await world.store.system(async () => 7)).toBe(7)
    })

    check('knows when it began, and what time it is since', async (world) => {
      await world.as(await world.tenant(), async (rows) => {
        const first = await rows.time()
        expect(first).toBeGreaterThanOrEqual(rows.now)
        let later = first
        for (let n = 0; n < 1000 && later === first; n++) later = await rows.time()
        expect(later).toBeGreaterThan(first)
      })
    })

    check('of the system that throws has done nothing', async (world) => {
      const tenant = await world.tenant()
      const other = { ...tenant, id: `${tenant.id.slice(0, -4)}zzzz` }
      const work = world.store.system(async (rows) => {
        await rows.insertTenant(other)
        throw new Error('halfway')
      })
      await expect(work).rejects.toThrow('halfway')
      expect(await world.store.system((rows) => rows.tenant(other.id))).toBeNull()
    })

    check('wakes workers once it has committed, by the earliest instant', async (world) => {
      const tenant = await world.tenant()
      const last = 8e15
      const wakes = heard<number>(
        (listener) => world.store.signals.onWake(listener),
        (instant) => instant === last,
      )
      const failed = world.as(tenant, async (rows) => {
        rows.wakeAt(1)
        throw new Error('undone')
      })
      await expect(failed).rejects.toThrow('undone')
      await world.as(tenant, async (rows) => {
        rows.wakeAt(30)
        rows.wakeAt(20)
        rows.wakeAt(40)
      })
      await world.as(tenant, async () => undefined)
      await world.as(tenant, async (rows) => rows.wakeAt(last))
      expect(await wakes).toEqual([20, last])
    })

    check(
      'wakes workers for the plans that it writes, but not for the end of a lease',
      async (world) => {
        const place = await world.place()
        const last = 8e15
        const wakes = heard<number>(
          (listener) => world.store.signals.onWake(listener),
          (instant) => instant === last,
        )
        const { plan } = await world.endpoint(place, {}, { nextRunAt: 4e12 })
        await world.as(place.tenant, (rows) => rows.plans.put({ ...plan, nextRunAt: 5e12 }))
        const held: HeldRun = {
          scheduledFor: 5e12,
          source: plan.source as 'baseline-cron',
          leaseUntil: 6e12,
          deliveries: 1,
        }
        await world.as(place.tenant, (rows) => rows.plans.put({ ...plan, held }))
        await world.as(place.tenant, async (rows) => rows.wakeAt(last))
        expect(await wakes).toEqual([4e12, 5e12, last])
      },
    )

    check('has runs given up once it has committed', async (world) => {
      const tenant = await world.tenant()
      const run = (n: number): RunKey => ({ endpointId: 'ep_x', scheduledFor: n })
      const aborts = heard<RunKey>(
        (listener) => world.store.signals.onAbort(listener),
        ({ scheduledFor }) => scheduledFor === 9,
      )
      const failed = world.as(tenant, async (rows) => {
        rows.abort(run(1))
        throw new Error('undone')
      })
      await expect(failed).rejects.toThrow('undone')
      await world.as(tenant, async (rows) => {
        rows.abort(run(2))
        rows.abort(run(3))
      })
      await world.as(tenant, async (rows) => rows.abort(run(9)))
      expect(await aborts).toEqual([run(2), run(3), run(9)])
    })

    check('has changed secrets read again once it has committed', async (world) => {
      const tenant = await world.tenant()
      const put = (rows: TenantTransaction, name: string) =>
        rows.secrets.put(sampleSecret(tenant, name))
      const changes = heard<SecretKey>(
        (listener) => world.store.signals.onSecret(listener),
        ({ name }) => name === 'last',
      )
      const failed = world.as(tenant, async (rows) => {
        await put(rows, 'undone')
        throw new Error('undone')
      })
      await expect(failed).rejects.toThrow('undone')
      await world.as(tenant, (rows) => put(rows, 'made'))
      await world.as(tenant, (rows) => put(rows, 'made'))
      await world.as(tenant, async (rows) => {
        await rows.secrets.delete('made')
        await rows.secrets.delete('of nobody')
      })
      await world.as(tenant, (rows) => put(rows, 'last'))
      const names = ['made', 'made', 'made', 'last']
      expect(await changes).toEqual(names.map((name) => ({ tenantId: tenant.id, name })))
    })

    check('tells events to those who follow that tenant', async (world) => {
      const tenant = await world.tenant()
      const foreign = await world.tenant()
      const event = (tenantId: string, at: number): RunEvent => ({
        tenantId,
        type: 'run.ended',
        subject: 'run_x',
        status: 'success',
        at,
      })
      const events = heard<RunEvent>(
        (listener) => world.store.signals.onEvent(tenant.id, listener),
        ({ at }) => at === 9,
      )
      world.store.signals.publish([event(foreign.id, 1), event(tenant.id, 2)])
      world.store.signals.publish([])
      world.store.signals.publish([event(tenant.id, 9), event(foreign.id, 9)])
      expect(await events).toEqual([event(tenant.id, 2), event(tenant.id, 9)])
    })
  })

  describe('the store', () => {
    check('can be asked whether it is there, and what time it is', async (world) => {
      const before = await world.now()
      const time = await world.store.time()
      expect(time).toBeGreaterThanOrEqual(before)
      expect(await world.now()).toBeGreaterThanOrEqual(time)
    })
  })
}
