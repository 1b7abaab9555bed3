import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TenantApi } from '../../../testing/api/tenant-api.js'

const api = new TenantApi()
const { send, createEndpoint: create } = api
beforeEach(api.openWithJob)
afterEach(api.close)

const at = (text: string): Promise<void> => api.clock.advanceTo(Date.parse(text))

/** All places that say when an endpoint runs next. */
async function foretold(id: string) {
  const { body: view } = await send('GET', `/endpoints/${id}`)
  const { body: explanation } = await send('GET', `/endpoints/${id}/explain`)
  const { body: next } = await send('GET', `/endpoints/${id}/next?count=1`)
  return [view.nextRunAt, explanation.plan.nextRunAt, next.items[0]?.nextRunAt ?? null]
}

describe('an endpoint with clauses', () => {
  it.each([
    ['* * * * * @only(dow=MON)', '2026-03-03T12:00:00Z', '2026-03-09T00:00:00Z'],
    ['*/5 * * * * @only(dom=1)', '2026-03-03T12:00:00Z', '2026-04-01T00:00:00Z'],
    ['* * * * * * @only(hours=3)', '2026-03-03T04:00:00Z', '2026-03-04T03:00:00Z'],
    ['0 * * * * @only(months=6)', '2026-03-03T12:00:00Z', '2026-06-01T00:00:00Z'],
    [
      '* * * * * @avoid(dates=2026-03-04..2026-03-09)',
      '2026-03-03T23:59:30Z',
      '2026-03-10T00:00:00Z',
    ],
  ])('%s made at %s runs at %s', async (cron, madeAt, nextRunAt) => {
    await at(madeAt)
    const { status, body } = await create({ cron })
    expect([status, body.status]).toEqual([201, 'active'])
    expect(await foretold(body.id)).toEqual([nextRunAt, nextRunAt, nextRunAt])
  })

  it('goes over the weekend, of which one row tells', async () => {
    await at('2026-03-06T17:58:30Z')
    const { body } = await create({ cron: '* * * * * @only(hours=9-17;dow=MON-FRI)' })
    await at('2026-03-06T17:59:00Z')
    await api.worker.end(await api.worker.claim())
    const monday = '2026-03-09T09:00:00Z'
    expect(await foretold(body.id)).toEqual([monday, monday, monday])
    await at(monday)
    await api.worker.end(await api.worker.claim())
    const { body: runs } = await send('GET', `/runs?endpointId=${body.id}`)
    expect(runs.items).toMatchObject([
      { scheduledFor: monday, status: 'success' },
      {
        scheduledFor: '2026-03-06T18:00:00Z',
        status: 'unschedulable',
        context: {
          stretch: { first: '2026-03-06T18:00:00Z', last: '2026-03-09T08:59:00Z', count: 3780 },
        },
      },
      { scheduledFor: '2026-03-06T17:59:00Z', status: 'success' },
    ])
  })

  it('that can never run is refused', async () => {
    const { status, body } = await create({ cron: '0 12 * * * @only(hours=3)' })
    expect([status, body.errors]).toEqual([
      400,
      [expect.objectContaining({ field: 'cron', code: 'KRON_SCHEDULE_NEVER' })],
    ])
  })

  it('whose dates have passed is finished, and says so', async () => {
    const { status, body } = await create({ cron: '* * * * * @only(date=2026-02-27)' })
    expect([status, body.status, body.nextRunAt]).toEqual([201, 'finished', null])
    const { body: explanation } = await send('GET', `/endpoints/${body.id}/explain`)
    expect(explanation).toMatchObject({ state: 'finished', plan: { nextRunAt: null } })
    expect(explanation.sentences[0]).toMatch(/^It has finished: no time of /)
  })
})
