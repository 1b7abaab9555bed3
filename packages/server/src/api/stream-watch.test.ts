import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld } from '../../testing/api/api-world.js'
import { Follower } from '../../testing/api/follower.js'
import { TenantApi } from '../../testing/api/tenant-api.js'

const sessionMs = 5_000

describe('a stream of events', () => {
  const api = new TenantApi()
  beforeEach(async () => api.openOn(await ApiWorld.open({ limits: { sessionMs } })))
  afterEach(api.close)

  async function follow(headers: Record<string, string>): Promise<Follower> {
    const follower = new Follower(await api.world.app.request('/api/v1/events', { headers }))
    await follower.until(': connected\n\n')
    return follower
  }

  it('ends with its session, whose time is over', async () => {
    const logIn = await api.world.sender(null)('POST', '/session', { key: api.tenant.key })
    const follower = await follow({ cookie: logIn.headers.get('set-cookie')!.split(';')[0]! })
    await api.clock.advanceBy(sessionMs)
    expect(await follower.rest()).toBe('')
  })

  it('is watched also after all that were there before have gone', async () => {
    const first = await follow({ authorization: `Bearer ${api.tenant.key}` })
    await first.cancel()
    expect(api.clock.pending).toBe(0)
    const key = await api.send('POST', '/keys', { name: 'reader', scopes: ['read'] })
    const second = await follow({ authorization: `Bearer ${key.body.key}` })
    expect((await api.send('DELETE', `/keys/${key.body.id}`)).status).toBe(204)
    await api.clock.advanceBy(2_000)
    expect(await second.rest()).toBe('')
  })
})
