import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'

describe('a change of an endpoint', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it('keeps a header by its mask, in any case of its name', async () => {
    const id = await newEndpoint(send, api.job, { headers: { Authorization: 'hunter2' } })
    const kept = await send('PATCH', `/endpoints/${id}`, { headers: { authorization: '•••' } })
    expect([kept.status, kept.body.headers]).toEqual([200, { authorization: '•••' }])
    const headers = await api.store.tenant(api.tenant.id, async ({ endpoints }) => {
      const { endpoint } = (await endpoints.read(id))!
      return endpoint.definition.headers
    })
    const context = { purpose: 'header', tenantId: api.tenant.id } as const
    expect(api.world.ports.vault.open(headers['authorization']!, context)).toBe('hunter2')
  })

  it('leaves the names of its headers in the audit log, and nothing of their values', async () => {
    const id = await newEndpoint(send, api.job, { headers: { Authorization: 'hunter2' } })
    await send('PATCH', `/endpoints/${id}`, { headers: { 'X-New': 'hunter3' } })
    const { items } = (await send('GET', `/audit?subject=${id}`)).body
    const named = items.map(({ after }: { after: { headers: unknown } }) => after.headers)
    expect(named.sort()).toEqual([['Authorization'], ['X-New']])
  })

  it('to a secret that does not exist is refused', async () => {
    const path = `/endpoints/${await newEndpoint(send, api.job)}`
    const refused = await send('PATCH', path, { secret: 'none' })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toMatchObject([{ field: 'secret', code: 'secret_unknown' }])
    expect((await send('GET', path)).body).toMatchObject({ secret: null, version: 1 })
    await send('PUT', '/secrets/some')
    expect((await send('PATCH', path, { secret: 'some' })).body.secret).toBe('some')
  })
})

const minute = 60_000

describe('an archived endpoint', () => {
  const api = new TenantApi()
  beforeEach(api.openWithJob)
  afterEach(api.close)

  async function archived(): Promise<string> {
    const id = await newEndpoint(api.send, api.job, { intervalMs: minute })
    await api.send('POST', `/endpoints/${id}/archive`)
    return id
  }
  const resume = (id: string) => api.send('POST', `/endpoints/${id}/resume`)
  const ofJob = (verb: string) => api.send('POST', `/jobs/${api.job}/${verb}`)

  it.each(['pause', 'archive'])(
    'that is brought back after a %s of its job runs when the job does',
    async (verb) => {
      const id = await archived()
      await ofJob(verb)
      expect((await resume(id)).body).toMatchObject({ status: 'suspended', nextRunAt: null })
      await api.clock.advanceBy(5 * minute)
      expect(await api.worker.claim()).toMatchObject({ claimed: [], nextWakeAt: null })
      await ofJob('resume')
      await api.worker.claim()
      await api.clock.advanceBy(minute)
      const { claimed } = await api.worker.claim()
      expect(claimed.map(({ endpointId }) => endpointId)).toEqual([id])
    },
  )

  it('that is brought back into an active job runs again', async () => {
    const id = await archived()
    expect((await resume(id)).body).toMatchObject({ status: 'active' })
    await api.clock.advanceBy(minute)
    const { claimed } = await api.worker.claim()
    expect(claimed.map(({ endpointId }) => endpointId)).toEqual([id])
  })

  it('stays so when its job is paused and resumed', async () => {
    const id = await archived()
    await ofJob('pause')
    await ofJob('resume')
    await api.clock.advanceBy(5 * minute)
    expect(await api.worker.claim()).toMatchObject({ claimed: [], nextWakeAt: null })
    const { body } = await api.send('GET', `/endpoints/${id}`)
    expect(body).toMatchObject({ status: 'archived', nextRunAt: null })
  })
})
