import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'
import { unlimited } from '../../domain/index.js'

const api = new TenantApi()
const { send } = api
beforeEach(api.openWithJob)
afterEach(api.close)

/** What the API says in three places about the next run of an endpoint. */
async function foretold(id: string) {
  const { body: view } = await send('GET', `/endpoints/${id}`)
  const { body: explanation } = await send('GET', `/endpoints/${id}/explain`)
  const { body: next } = await send('GET', `/endpoints/${id}/next?count=2`)
  return { view, explanation, next: next.items }
}

async function setQuota(runsPerMonth: number | null): Promise<void> {
  const quotas = { ...unlimited, runsPerMonth }
  await api.store.tenant(api.tenant.id, ({ tenant }) => tenant.update({ quotas }))
}

describe('a hint that ends before the run it asks for', () => {
  const hint = { intervalMs: 12 * 3_600_000, ttlMinutes: 60 }

  it('promises that run nowhere, and the explanation says why', async () => {
    const id = await newEndpoint(send, api.job, { cron: '0 * * * *' })
    const given = await send('PUT', `/endpoints/${id}/hints/interval`, hint)
    // The baseline counts again from 03:32:20 on.
    const planned = {
      nextRunAt: '2026-03-01T04:00:00Z',
      source: 'baseline-cron',
      periodId: '2026-03-01T04:00:00Z',
    }
    const { view, explanation, next } = await foretold(id)
    expect(given.body).toMatchObject(planned)
    expect(view).toMatchObject({ ...planned, hints: { interval: { intervalMs: hint.intervalMs } } })
    expect((await send('GET', '/endpoints')).body.items).toMatchObject([planned])
    expect(next[0]).toEqual({ ...planned, giver: null })
    expect(explanation.plan).toEqual(planned)
    expect(explanation.sentences).toEqual([
      'The run at 2026-03-01T14:32:20Z that a hint asks for will not start: the hint ends before it, ' +
        'at 2026-03-01T03:32:20Z.',
      'It runs next at 2026-03-01T04:00:00Z (in 1h27m40s), because of its baseline, "0 * * * *" ' +
        'in UTC.',
      'The period of 2026-03-01T02:00:00Z does not run: this schedule applies only since ' +
        '2026-03-01T02:32:20Z.',
    ])
    expect(explanation.candidates[2]).toEqual({
      kind: 'ai-interval',
      nextRunAt: null,
      valid: false,
      chosen: false,
      why: 'every 12h, the interval hint ends at 2026-03-01T03:32:20Z, before the next run',
    })
  })

  it('is followed by what workers then do', async () => {
    const id = await newEndpoint(send, api.job, { intervalMs: 600_000 })
    await send('PUT', `/endpoints/${id}/hints/interval`, hint)
    const { view } = await foretold(id)
    expect(view).toMatchObject({ nextRunAt: '2026-03-01T03:32:20Z', source: 'baseline-interval' })
    await api.clock.advanceTo(Date.parse(view.nextRunAt))
    await api.worker.claim()
    const { claimed } = await api.worker.claim()
    expect(claimed.map(({ source }) => source)).toEqual(['baseline-interval'])
  })
})

describe('an endpoint of a paused job', () => {
  it('shows no run, since there will be none', async () => {
    const id = await newEndpoint(send, api.job)
    await send('POST', `/jobs/${api.job}/pause`)
    const { view, explanation, next } = await foretold(id)
    expect(view).toMatchObject({ status: 'suspended', nextRunAt: null, periodId: null })
    expect(explanation).toMatchObject({
      state: 'suspended',
      plan: { nextRunAt: null, periodId: null },
    })
    expect(next).toEqual([])
    await send('POST', `/jobs/${api.job}/resume`)
    await api.worker.claim()
    expect((await foretold(id)).view.nextRunAt).toBe('2026-03-01T02:35:00Z')
  })
})

describe('a quota of runs that is used up', () => {
  const reset = '2026-04-01T00:00:00Z'

  beforeEach(async () => {
    await setQuota(1)
    await newEndpoint(send, api.job, { name: 'first', intervalMs: 3_600_000 })
    await api.clock.advanceBy(3_600_000)
    await api.worker.end(await api.worker.claim())
  })

  it('is given endpoints that are not due yet', async () => {
    const id = await newEndpoint(send, api.job, { cron: '30 9 * * *' })
    const { explanation, next } = await foretold(id)
    expect(explanation).toMatchObject({
      state: 'quota',
      plan: { nextRunAt: reset, source: 'quota', periodId: reset },
    })
    expect(explanation.sentences[0]).toMatch(
      `The quota of runs is used up; it is planned again when the quota starts again, at ${reset} (in `,
    )
    expect(next).toMatchObject([
      { nextRunAt: reset, source: 'quota' },
      { nextRunAt: '2026-04-01T09:30:00Z', source: 'baseline-cron' },
    ])
    const { body } = await send('GET', '/forecast?minutes=1440')
    expect(body.items.some(({ runs }: { runs: number }) => runs > 0)).toBe(false)
  })

  it('does not matter to a run of the next month, or when it is raised', async () => {
    const yearly = await newEndpoint(send, api.job, { cron: '0 12 1 4 *' })
    await api.clock.advanceTo(Date.parse('2026-03-31T23:00:00Z'))
    expect((await foretold(yearly)).explanation).toMatchObject({ state: 'planned' })
    const id = await newEndpoint(send, api.job, { name: 'b', cron: '30 * * * *' })
    expect((await foretold(id)).explanation.state).toBe('quota')
    await setQuota(2)
    expect((await foretold(id)).explanation.state).toBe('planned')
    // One run is left, and the next one falls into April.
    expect((await foretold(id)).next).toMatchObject([
      { nextRunAt: '2026-03-31T23:30:00Z', source: 'baseline-cron' },
      { nextRunAt: '2026-04-01T00:30:00Z', source: 'baseline-cron' },
    ])
  })

  it('goes on to hold an endpoint that is given a hint', async () => {
    const id = await newEndpoint(send, api.job, { name: 'b', intervalMs: 60_000 })
    await api.clock.advanceBy(60_000)
    expect((await api.worker.claim()).claimed).toEqual([])
    expect((await foretold(id)).view).toMatchObject({ quotaHold: true, nextRunAt: reset })
    const hint = { intervalMs: 30_000, ttlMinutes: 30 }
    const hinted = await send('PUT', `/endpoints/${id}/hints/interval`, hint)
    expect(hinted.body).toMatchObject({
      quotaHold: true,
      nextRunAt: reset,
      source: 'quota',
      hints: { interval: { intervalMs: 30_000 } },
    })
    const pausedUntil = '2026-03-01T09:00:00Z'
    const paused = await send('POST', `/endpoints/${id}/pause`, { pausedUntil })
    expect(paused.body).toMatchObject({ source: 'paused', nextRunAt: pausedUntil })
  })
})
