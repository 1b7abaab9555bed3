import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld, type TestTenant } from '../../testing/api/api-world.js'
import { newEndpoint, newJob } from '../../testing/api/sample.js'

describe('an entity tag', () => {
  let world: ApiWorld
  let send: TestTenant['send']
  let paths: Record<'job' | 'endpoint', string>

  beforeEach(async () => {
    world = await ApiWorld.open()
    send = (await world.tenant()).send
    const job = await newJob(send)
    paths = { job: `/jobs/${job}`, endpoint: `/endpoints/${await newEndpoint(send, job)}` }
  })
  afterEach(() => world.close())

  it.each(['job', 'endpoint'] as const)('of a %s is its version', async (kind) => {
    expect((await send('GET', paths[kind])).headers.get('etag')).toBe('"1"')
    const changed = await send('PATCH', paths[kind], { description: 'x' })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect(changed.body.version).toBe(2)
  })

  it.each(['job', 'endpoint'] as const)('keeps the second of two editors of a %s', async (kind) => {
    const tag = { 'if-match': '"1"' }
    const first = await send('PATCH', paths[kind], { description: 'first' }, tag)
    const second = await send('PATCH', paths[kind], { description: 'second' }, tag)
    expect([first.status, second.status]).toEqual([200, 412])
    expect(second.body.code).toBe('precondition_failed')
    expect((await send('GET', paths[kind])).body.description).toBe('first')
  })

  it('lets one of many editors through who come at once', async () => {
    const edit = (n: number) =>
      send('PATCH', paths.endpoint, { description: `${n}` }, { 'if-match': '"1"' })
    const replies = await Promise.all([1, 2, 3, 4, 5].map(edit))
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 412, 412, 412, 412])
  })

  it.each(['"1"', '*', '"7", "1"'])('matches %s', async (tag) => {
    const reply = await send('PATCH', paths.job, { name: 'b' }, { 'if-match': tag })
    expect(reply.status).toBe(200)
  })

  it.each(['"0"', 'W/"1"', '"x"'])('does not match %s', async (tag) => {
    const reply = await send('DELETE', paths.job, undefined, { 'if-match': tag })
    expect(reply.status).toBe(412)
    expect((await send('GET', paths.job)).status).toBe(200)
  })

  it('that can not be read is refused with the name of its header', async () => {
    const reply = await send('PATCH', paths.job, { name: 'b' }, { 'if-match': '1' })
    expect([reply.status, reply.body.field]).toEqual([400, 'if-match'])
  })

  it('stays as it is when nothing is changed', async () => {
    expect((await send('PATCH', paths.endpoint, {})).headers.get('etag')).toBe('"1"')
    expect((await send('PATCH', paths.job, {})).headers.get('etag')).toBe('"1"')
  })

  it('of a secret keeps the second of two who replace it', async () => {
    await send('PUT', '/secrets/s', {})
    const tag = { 'if-match': '"1"' }
    const first = await send('PUT', '/secrets/s', {}, tag)
    const second = await send('PUT', '/secrets/s', {}, tag)
    expect([first.status, second.status]).toEqual([200, 412])
    expect((await send('PUT', '/secrets/new', {}, tag)).status).toBe(412)
  })

  it.each(['job', 'endpoint', 'secret'] as const)(
    'keeps who has an old one of a %s from deleting it',
    async (kind) => {
      await send('PUT', '/secrets/s', {})
      const path = kind === 'secret' ? '/secrets/s' : paths[kind]
      if (kind === 'secret') await send('PUT', path, {})
      else await send('PATCH', path, { description: 'changed' })
      const late = await send('DELETE', path, undefined, { 'if-match': '"1"' })
      expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
      expect((await send('GET', path)).status).toBe(200)
      expect((await send('DELETE', path, undefined, { 'if-match': '"2"' })).status).toBe(204)
    },
  )
})
