import { describe, expect } from 'vitest'
import { isId, newId, type PlannerSession, type Tenant } from '../../src/domain/index.js'
import { everyPage } from './page-conformance.js'
import type { Check, World } from './world-conformance.js'

const entry = (n: number) => ({
  actor: 'key:key_1',
  action: 'endpoint.pause',
  subject: n % 2 === 0 ? 'ep_even' : 'ep_odd',
  before: { pausedUntil: null, n },
  after: { pausedUntil: 5, text: `"\u{1F552}'` },
  reason: n % 3 === 0 ? null : 'maintenance',
})

export function sampleSession({ id }: Tenant, at: number, endpointId = 'ep_1'): PlannerSession {
  return {
    id: newId('ses', at),
    tenantId: id,
    endpointId,
    planner: 'rules',
    startedAt: at,
    endedAt: at + 5,
    read: { runs: [1, 2, { deep: null }] },
    said: 'it fails',
    actions: [{ kind: 'clearHints', reason: 'it went well' }],
    suggested: [
      {
        action: { kind: 'clearHints', reason: 'it went well' },
        before: { nextRunAt: 1, source: 'ai-interval' },
        after: { nextRunAt: null, source: 'baseline-cron' },
      },
    ],
    refused: [{ action: { kind: 'pauseUntil', until: 7, reason: 'gone' }, why: 'planner: off' }],
    cost: { calls: 1, tokens: 250 },
  }
}

/** In transactions of their own, each later than the one before. */
async function appendAudit(world: World, tenant: Tenant, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const at = await world.as(tenant, async (rows) => {
      await rows.audit.append(entry(n))
      return rows.now
    })
    await world.pass(at)
  }
}

export function describeHistory(check: Check): void {
  describe('the audit log', () => {
    check('keeps who did what, before and after, and when', async (world) => {
      const tenant = await world.tenant()
      await world.as(tenant, async (rows) => {
        await rows.audit.append(entry(1))
        const { items } = await rows.audit.list({ limit: 5, after: null })
        const { id, ...rest } = items[0]!
        expect(rest).toEqual({ ...entry(1), tenantId: tenant.id, at: rows.now })
        expect(isId('aud', id)).toBe(true)
        expect(items).toHaveLength(1)
      })
    })

    check('keeps a change that has no before or no after', async (world) => {
      const tenant = await world.tenant()
      await world.as(tenant, async (rows) => {
        await rows.audit.append({ ...entry(1), before: null, after: undefined })
        const { items } = await rows.audit.list({ limit: 5, after: null })
        expect(items[0]).toMatchObject({ before: null, after: null })
      })
    })

    check('is listed page by page, the newest first, by subject', async (world) => {
      const tenant = await world.tenant()
      await appendAudit(world, tenant, 11)
      const numberOf = ({ before }: { before: unknown }) => (before as { n: number }).n
      await world.as(tenant, async (rows) => {
        const all = await everyPage(3, rows.audit.list)
        expect(all.map(numberOf)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
        const even = await everyPage(2, (page) => rows.audit.list({ ...page, subject: 'ep_even' }))
        expect(even.map(numberOf)).toEqual([10, 8, 6, 4, 2, 0])
        const none = await rows.audit.list({ limit: 5, after: null, subject: 'ep_none' })
        expect(none).toEqual({ items: [], next: null })
      })
    })
  })

  describe('planner sessions', () => {
    check('are found as they were written', async (world) => {
      const tenant = await world.tenant()
      const session = sampleSession(tenant, 1_700_000_000_000)
      await world.as(tenant, async (rows) => {
        await rows.sessions.append(session)
        expect(await rows.sessions.get(session.id)).toEqual(session)
        expect(await rows.sessions.get('ses_of_nobody')).toBeNull()
      })
    })

    check('are listed page by page, the newest first, by endpoint', async (world) => {
      const tenant = await world.tenant()
      const sessions = Array.from({ length: 9 }, (_, n) =>
        sampleSession(tenant, 1000 + n, `ep_${n % 2}`),
      )
      await world.as(tenant, async (rows) => {
        for (const session of sessions) await rows.sessions.append(session)
        sessions.reverse()
        expect(await everyPage(2, rows.sessions.list)).toEqual(sessions)
        const endpointId = 'ep_1'
        const some = await everyPage(3, (page) => rows.sessions.list({ ...page, endpointId }))
        expect(some).toEqual(sessions.filter((session) => session.endpointId === endpointId))
      })
    })
  })
}
