import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiWorld, type TestTenant } from '../../testing/api/api-world.js'
import { oneOfEverything, type Sample } from '../../testing/api/sample.js'
import { allOperations } from './create-api.js'

/** Ids that are well-formed and name nothing. */
const unknown: Sample = {
  jobId: 'job_00000000000000000000000000',
  endpointId: 'ep_00000000000000000000000000',
  runId: 'run_00000000000000000000000000_abc',
  sessionId: 'ses_00000000000000000000000000',
  keyId: 'key_00000000000000000000000000',
  name: 'nothing',
}

const byPath = allOperations().filter(({ path }) => path.includes('{'))
/** The stream of events has a test of its own for this. */
const others = allOperations().filter(
  ({ path, scope, method }) =>
    !path.includes('{') && scope !== null && method === 'get' && path !== '/events',
)

function filled(path: string, ids: Sample): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name as keyof Sample]
    if (id === undefined) throw new Error(`no sample for {${name}}: add one`)
    return id
  })
}

describe('a tenant', () => {
  let world: ApiWorld
  let owner: TestTenant
  let stranger: TestTenant
  let sample: Sample
  let before: string[]

  const ofOwner = async (): Promise<string[]> => {
    const paths = ['/jobs', '/endpoints', '/runs', '/keys', '/secrets', '/audit', '/quotas']
    const replies = await Promise.all(paths.map((path) => owner.send('GET', path)))
    return replies.map(({ text }) => text.replaceAll(/"lastUsedAt":[^}]*/g, ''))
  }

  beforeAll(async () => {
    world = await ApiWorld.open()
    owner = await world.tenant('Owner')
    stranger = await world.tenant('Stranger')
    sample = await oneOfEverything(world, owner)
    before = await ofOwner()
  })
  afterAll(() => world.close())

  it('is what the app itself routes by path, and no route is left out', () => {
    const routed = world.app.routes.filter(
      ({ method, path }) => method !== 'ALL' && path.includes(':'),
    )
    expect(routed).toHaveLength(byPath.length)
    const declared = byPath.map(({ method, path }) => {
      return `${method.toUpperCase()} /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    })
    expect(routed.map(({ method, path }) => `${method} ${path}`)).toEqual(declared)
  })

  it.each(byPath.map((operation) => [operation.operationId, operation] as const))(
    'finds nothing of another with %s, as if it did not exist',
    async (id, { method, path, bodyExample }) => {
      const send = (ids: Sample) =>
        stranger.send(method.toUpperCase(), filled(path, ids), bodyExample)
      const foreign = await send(sample)
      if (id === 'putSecret') {
        // Names are each tenant's own: it made one for himself.
        expect(foreign.status).toBe(201)
        await stranger.send('DELETE', filled(path, sample))
        return
      }
      const none = await send(unknown)
      expect(foreign.status).toBe(404)
      expect(foreign.headers.get('content-type')).toBe('application/problem+json')
      const withoutId = ({ requestId: _, ...problem }: Record<string, unknown>) => problem
      expect(withoutId(foreign.body)).toEqual(withoutId(none.body))
      expect(foreign.body.code).toBe('not_found')
    },
  )

  it.each(byPath.map((operation) => [operation.operationId, operation] as const))(
    'finds nothing by a malformed id with %s',
    async (id, { method, path, bodyExample }) => {
      for (const malformed of ['x', '%00', '..%2f', 'ep_', "'; --", '𝒳', 'a'.repeat(500)]) {
        const target = path.replaceAll(/\{\w+\}/g, encodeURIComponent(malformed))
        const { status, body } = await owner.send(method.toUpperCase(), target, bodyExample)
        if (id === 'putSecret') expect([201, 400]).toContain(status)
        else expect([status, body.code]).toEqual([404, 'not_found'])
      }
      if (id === 'putSecret') {
        for (const made of ['x', 'ep_']) await owner.send('DELETE', `/secrets/${made}`)
      }
    },
  )

  it.each(others.map(({ operationId, path }) => [operationId, path] as const))(
    'sees nothing of another in %s',
    async (_, path) => {
      const { status, text } = await stranger.send('GET', path)
      expect(status).toBe(200)
      const { name: _name, ...ids } = sample
      for (const id of [...Object.values(ids), owner.id, owner.keyId]) {
        expect(text).not.toContain(id)
      }
    },
  )

  it.each([
    '/endpoints?jobId=',
    '/runs?jobId=',
    '/runs?endpointId=',
    '/planner/sessions?endpointId=',
  ])("finds nothing by another's id as the filter %s", async (path) => {
    const id = path.includes('jobId') ? sample.jobId : sample.endpointId
    expect((await stranger.send('GET', `${path}${id}`)).body).toEqual({
      items: [],
      nextCursor: null,
    })
    expect((await owner.send('GET', `${path}${id}`)).body.items).toHaveLength(1)
  })

  it("can't use a cursor of another", async () => {
    const second = await owner.send('POST', '/jobs', { name: 'second' })
    const { body } = await owner.send('GET', '/jobs?limit=1')
    const reply = await stranger.send('GET', `/jobs?limit=1&cursor=${body.nextCursor}`)
    expect([reply.status, reply.body.field]).toEqual([400, 'cursor'])
    await owner.send('DELETE', `/jobs/${second.body.id}`)
  })

  it('has lost nothing to all that a stranger tried', async () => {
    const [jobs, endpoints, runs] = await ofOwner()
    expect([jobs, endpoints, runs]).toEqual(before.slice(0, 3))
    expect(world.logged).toEqual([])
  })
})
