import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint } from '../testing/sample.js'
import { TenantApi } from '../testing/tenant-api.js'

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
