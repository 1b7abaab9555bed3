import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint, newJob } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'

describe('a signing secret', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.open)
  afterEach(api.close)

  /** The values that sign now, as a worker reads them. */
  const signing = (name: string): Promise<string[]> =>
    api.store.tenant(api.tenant.id, async ({ secrets, now }) => {
      const { values } = (await secrets.get(name))!
      return values
        .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
        .map(({ sealed }) =>
          api.world.ports.vault.open(sealed, { purpose: 'secret', tenantId: api.tenant.id }),
        )
    })

  it('is there from the start, and stays', async () => {
    expect((await send('GET', '/secrets/default')).body.version).toBe(1)
    expect((await send('DELETE', '/secrets/default')).body.code).toBe('secret_in_use')
  })

  it('is made here and shown once, or given and not shown at all', async () => {
    const made = await send('PUT', '/secrets/a')
    expect(made.status).toBe(201)
    expect(made.body.value).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await signing('a')).toEqual([made.body.value])
    const value = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const given = await send('PUT', '/secrets/b', { value })
    expect([given.status, given.body.value]).toEqual([201, null])
    expect(await signing('b')).toEqual([value])
    const texts = [(await send('GET', '/secrets')).text, (await send('GET', '/audit')).text]
    for (const text of texts) expect(text).not.toContain('whsec_')
  })

  it.each([
    'secret',
    'whsec_',
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    `whsec_${'!'.repeat(32)}`,
  ])('is refused as %j, without being repeated', async (value) => {
    const reply = await send('PUT', '/secrets/a', { value })
    expect([reply.status, reply.body.field]).toEqual([400, 'value'])
    expect(reply.body.detail).not.toContain(value.length > 7 ? value : 'secret ')
  })

  it('is replaced at once by PUT', async () => {
    const first = await send('PUT', '/secrets/a')
    const second = await send('PUT', '/secrets/a')
    expect([first.status, second.status, second.body.version]).toEqual([201, 200, 2])
    expect(await signing('a')).toEqual([second.body.value])
  })

  it('signs with the old value as well until the overlap is over', async () => {
    const first = (await send('PUT', '/secrets/a')).body.value
    const second = (await send('POST', '/secrets/a/rotate', { overlapMinutes: 60 })).body.value
    expect(await signing('a')).toEqual([second, first])
    await api.clock.advanceBy(30 * 60_000)
    const third = (await send('POST', '/secrets/a/rotate', { overlapMinutes: 60 })).body.value
    expect(await signing('a')).toEqual([third, second, first])
    await api.clock.advanceBy(30 * 60_000)
    expect(await signing('a')).toEqual([third, second])
    const last = (await send('POST', '/secrets/a/rotate', { overlapMinutes: 0 })).body.value
    expect(await signing('a')).toEqual([last])
    expect((await send('GET', '/secrets/a')).body.values).toHaveLength(1)
  })

  it('never has more than the four newest values', async () => {
    const made = [(await send('PUT', '/secrets/a')).body.value]
    for (let n = 0; n < 6; n++) made.unshift((await send('POST', '/secrets/a/rotate')).body.value)
    expect((await send('GET', '/secrets/a')).body.values).toHaveLength(4)
    expect(await signing('a')).toEqual(made.slice(0, 4))
  })

  it('stays while an endpoint names it', async () => {
    await send('PUT', '/secrets/a')
    const id = await newEndpoint(send, await newJob(send), { secret: 'a' })
    const refused = await send('DELETE', '/secrets/a')
    expect([refused.status, refused.body.code]).toEqual([409, 'secret_in_use'])
    await send('PATCH', `/endpoints/${id}`, { secret: null })
    expect((await send('DELETE', '/secrets/a')).status).toBe(204)
    expect((await send('GET', '/secrets/a')).status).toBe(404)
  })

  it('has a name of letters, digits, dots, dashes and underscores', async () => {
    for (const name of ['a.b-c_D9', 'x'.repeat(63)]) {
      expect((await send('PUT', `/secrets/${name}`)).status).toBe(201)
    }
    for (const name of ['-a', 'a%20b', 'x'.repeat(64), '%C3%A9']) {
      const reply = await send('PUT', `/secrets/${name}`)
      expect([reply.status, reply.body.field]).toEqual([400, 'name'])
    }
  })
})
