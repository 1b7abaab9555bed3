import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint, oneOfEverything, type Sample } from '../../testing/api/sample.js'
import { TenantApi } from '../../testing/api/tenant-api.js'
import { resumeTenant, suspendTenant } from '../use-cases/index.js'

describe('a tenant that was just suspended', () => {
  const api = new TenantApi()
  let sample: Sample
  beforeEach(async () => {
    await api.open()
    sample = await oneOfEverything(api.world, api.tenant)
    await suspendTenant(api.world.ports, operator())
  })
  afterEach(api.close)

  const operator = () => ({ tenantId: api.tenant.id, actor: 'operator' })

  it.each([
    ['POST', () => '/jobs', { name: 'late' }],
    ['PUT', () => `/secrets/${sample.name}`, undefined],
    ['PATCH', () => `/jobs/${sample.jobId}`, { name: 'late' }],
    ['DELETE', () => `/endpoints/${sample.endpointId}`, undefined],
  ])('changes nothing by %s, though its key is still known here', async (method, path, body) => {
    const before = await everything()
    const reply = await api.send(method, path(), body)
    expect(reply).toMatchObject({ status: 403, body: { code: 'tenant_suspended' } })
    expect(await everything()).toEqual(before)
  })

  const everything = () =>
    Promise.all(
      ['/jobs', '/endpoints', '/secrets'].map(async (path) => (await api.send('GET', path)).body),
    )

  it('has the workers woken when it is resumed', async () => {
    const woken: number[] = []
    api.store.signals.onWake((instant) => void woken.push(instant))
    await resumeTenant(api.world.ports, operator())
    expect(woken).toEqual([api.clock.now().getTime()])
  })
})

describe('a tenant that is suspended', () => {
  const api = new TenantApi()
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it.each(['pause', 'archive'])(
    'has no run under way, also after the %s of its job',
    async (verb) => {
      const endpointId = await newEndpoint(api.send, api.job, { cron: '* * * * *' })
      await api.clock.advanceBy(60_000)
      const { scheduledFor } = (await api.worker.claim()).claimed[0]!
      await api.send('POST', `/jobs/${api.job}/${verb}`)
      expect((await api.send('GET', '/runs')).body.items).toMatchObject([{ status: 'running' }])
      const aborted: unknown[] = []
      api.store.signals.onAbort((run) => void aborted.push(run))
      await suspendTenant(api.world.ports, { tenantId: api.tenant.id, actor: 'operator' })
      expect(aborted).toEqual([{ endpointId, scheduledFor }])
      expect((await api.send('GET', '/runs')).body.items).toMatchObject([
        { status: 'cancelled', reason: 'tenant_suspended' },
      ])
    },
  )
})
