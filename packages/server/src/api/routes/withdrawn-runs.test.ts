import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'

describe('a run that is due at this very instant', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it.each([
    ['paused', 'pause', { pausedUntil: '2026-03-01T03:00:00Z' }],
    ['archived', 'archive', undefined],
  ])('is sent, and ends as it may when its endpoint is %s', async (_, verb, body) => {
    const id = await newEndpoint(send, api.job)
    await api.clock.advanceTo(Date.parse('2026-03-01T02:35:00Z'))
    const claim = await api.worker.claim()
    expect(claim.claimed).toHaveLength(1)
    await send('POST', `/endpoints/${id}/${verb}`, body)
    expect((await send('GET', '/runs')).body.items).toMatchObject([{ status: 'running' }])
    const held = await api.store.tenant(
      api.tenant.id,
      async ({ endpoints }) => (await endpoints.read(id))?.plan.held,
    )
    expect(held).toMatchObject({ scheduledFor: api.clock.now().getTime() })
    expect((await api.worker.end(claim)).answers).toEqual(['recorded'])
  })
})

describe('a run that was claimed ahead of its time', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it.each([
    ['pausing its endpoint', 'endpoints', 'pause', { pausedUntil: '2026-03-01T03:00:00Z' }],
    ['archiving its endpoint', 'endpoints', 'archive', undefined],
    ['pausing its job', 'jobs', 'pause', undefined],
    ['archiving its job', 'jobs', 'archive', undefined],
  ])('is taken from its worker by %s', async (_, kind, verb, body) => {
    const endpointId = await newEndpoint(send, api.job)
    await api.clock.advanceTo(Date.parse('2026-03-01T02:34:58Z'))
    const [claimed] = (await api.worker.claim(5_000)).claimed
    const told: unknown[] = []
    api.store.signals.onAbort((run) => void told.push(run))
    api.store.signals.onEvent(api.tenant.id, ({ type, status }) => {
      if (type === 'run.ended') told.push(status)
    })
    await send('POST', `/${kind}/${kind === 'jobs' ? api.job : endpointId}/${verb}`, body)
    const { scheduledFor } = claimed!
    expect(told).toHaveLength(2)
    expect(told).toEqual(expect.arrayContaining([{ endpointId, scheduledFor }, 'cancelled']))
  })
})
