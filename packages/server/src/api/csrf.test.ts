import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiWorld, type Reply } from '../../testing/api/api-world.js'
import { allOperations } from './create-api.js'
import type { Operation } from './operation.js'

/** What is done before there is a session, which has nothing that another site could use. */
const withoutSession = ['logIn', 'createTenant']

const all = allOperations()
  .filter(({ operationId }) => !withoutSession.includes(operationId))
  .map((operation) => [operation.method, operation.path, operation] as const)
const changing = all.filter(([method]) => method !== 'get')
const reading = all.filter(([method]) => method === 'get')

describe('by the cookie of a session alone', () => {
  let world: ApiWorld
  let key: string
  beforeAll(async () => {
    world = await ApiWorld.open()
    key = (await world.tenant()).key
  })
  afterAll(() => world.close())

  async function logIn(): Promise<{ readonly cookie: string; readonly csrf: string }> {
    const reply = await world.sender(null)('POST', '/session', { key })
    return { cookie: reply.headers.get('set-cookie')!.split(';')[0]!, csrf: reply.body.csrfToken }
  }

  function send(
    { operationId, method, path, bodyExample }: Operation,
    headers: Readonly<Record<string, string>>,
  ): Promise<Reply> {
    // HEAD begins no stream that would have to be ended.
    const verb = operationId === 'followEvents' ? 'HEAD' : method.toUpperCase()
    return world.sender(null)(verb, path.replaceAll(/\{\w+\}/g, 'none'), bodyExample, headers)
  }

  it.each(changing)('%s %s is refused, and not with the token', async (_method, _path, one) => {
    const { cookie, csrf } = await logIn()
    const refused = { status: 403, body: { code: 'csrf_invalid' } }
    expect(await send(one, { cookie })).toMatchObject(refused)
    expect(await send(one, { cookie, 'x-kron-csrf': '' })).toMatchObject(refused)
    expect(await send(one, { cookie, 'x-kron-csrf': csrf.slice(1) })).toMatchObject(refused)
    const { body } = await send(one, { cookie, 'x-kron-csrf': csrf })
    expect(body?.code).not.toBe('csrf_invalid')
  })

  it.each(reading)('%s %s is answered', async (_method, _path, one) => {
    expect((await send(one, { cookie: (await logIn()).cookie })).status).not.toBe(403)
  })

  it('every method that changes something is refused', () => {
    const methods = new Set(changing.map(([method]) => method))
    expect([...methods].toSorted()).toEqual(['delete', 'patch', 'post', 'put'])
  })
})
