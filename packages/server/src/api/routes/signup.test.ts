import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld, type Reply, type Send } from '../../../testing/api/api-world.js'
import { newEndpoint, newJob } from '../../../testing/api/sample.js'
import { signupQuotas } from '../../domain/index.js'

let world: ApiWorld

const signUp = (name = 'New'): Promise<Reply> => world.sender(null)('POST', '/tenants', { name })

/** Of a preview. */
const instantsOf = ({ items }: Reply['body']): number[] =>
  items.map(({ nextRunAt }: { nextRunAt: string }) => Date.parse(nextRunAt))

beforeEach(async () => {
  world = await ApiWorld.open({ signup: 'open', maxTenants: 3 })
})
afterEach(() => world.close())

describe('who signs up', () => {
  it('has a limit of everything, and sees it', async () => {
    const { body } = await signUp()
    const { body: shown } = await world.sender(body.key.key)('GET', '/quotas')
    expect(shown.quotas).toEqual(signupQuotas)
    for (const limit of Object.values(shown.quotas)) expect(limit).not.toBeNull()
  })

  it('is refused once there are as many tenants as the operator wants', async () => {
    for (let n = 0; n < 3; n++) expect((await signUp()).status).toBe(201)
    expect(await signUp()).toMatchObject({ status: 403, body: { code: 'signup_full' } })
    await world.tenant('made by the operator')
  })
})

describe('the shortest interval of a tenant', () => {
  let send: Send
  let jobId: string
  beforeEach(async () => {
    send = world.sender((await signUp()).body.key.key)
    jobId = await newJob(send)
  })
  const create = (given: object): Promise<Reply> =>
    send('POST', `/jobs/${jobId}/endpoints`, { name: 'x', url: 'https://example.com/', ...given })

  it.each([
    ['intervalMs', { intervalMs: 1 }],
    ['minIntervalMs', { intervalMs: 60_000, minIntervalMs: 9_999 }],
    ['maxIntervalMs', { intervalMs: 60_000, maxIntervalMs: 9_999 }],
  ])('refuses a shorter %s', async (field, given) => {
    const { status, body } = await create(given)
    expect(status).toBe(400)
    expect(body.errors).toContainEqual({
      field,
      code: 'interval_below_floor',
      message: expect.stringContaining("must be at least 10000, the tenant's shortest interval"),
    })
  })

  it('holds for what no field says: a cron of every second', async () => {
    const id = await newEndpoint(send, jobId, { cron: '* * * * * *' })
    const { body } = await send('GET', `/endpoints/${id}/next?count=3`)
    const at = instantsOf(body)
    expect([at[1]! - at[0]!, at[2]! - at[1]!]).toEqual([10_000, 10_000])
    expect((await send('GET', `/endpoints/${id}`)).body.minIntervalMs).toBe(10_000)
  })

  it('holds for a hint, and for a change', async () => {
    const id = await newEndpoint(send, jobId, { intervalMs: 60_000 })
    await send('PUT', `/endpoints/${id}/hints/interval`, { intervalMs: 1, ttlMinutes: 60 })
    const { body } = await send('GET', `/endpoints/${id}/next?count=3`)
    const at = instantsOf(body)
    expect(at[2]! - at[1]!).toBe(10_000)
    const cleared = await send('PATCH', `/endpoints/${id}`, { minIntervalMs: null })
    expect(cleared.body.minIntervalMs).toBe(10_000)
    const shorter = await send('PATCH', `/endpoints/${id}`, { intervalMs: 1 })
    expect(shorter.body.errors[0]).toMatchObject({ code: 'interval_below_floor' })
  })
})

it('a tenant that the operator made has no limits but those that he sets', async () => {
  const { send } = await world.tenant()
  const jobId = await newJob(send)
  await newEndpoint(send, jobId, { intervalMs: 1 })
  const { body } = await send('GET', '/quotas')
  expect(new Set(Object.values(body.quotas))).toEqual(new Set([null]))
})
