import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../tools/postgres/index.ts'
import { ApiWorld, type TestTenant } from '../../testing/api/api-world.js'
import { newEndpoint, newJob, oneOfEverything, type Sample } from '../../testing/api/sample.js'
import { parseRunId, unlimited } from '../domain/index.js'
import { openPostgresStore } from '../store/postgres/postgres-store.js'
import { allOperations } from './create-api.js'

const server = inject('postgresUrl')

/** Here transactions of several requests really happen at the same time. */
describe.runIf(server !== null)('the API on a real PostgreSQL', () => {
  let url: string
  let world: ApiWorld
  let tenant: TestTenant

  beforeAll(async () => {
    url = await createDatabase(server!)
    world = await ApiWorld.open({ store: openPostgresStore({ url, statementTimeoutMs: 3_000 }) })
    tenant = await world.tenant()
  })
  afterAll(async () => {
    await world.close()
    await dropDatabase(server!, url)
  })

  const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)))

  it('has requests with one idempotency key that come at once done once', async () => {
    const key = { 'idempotency-key': 'at-once' }
    const replies = await times(10, () => tenant.send('POST', '/jobs', { name: 'once' }, key))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(201))
  })

  it('lets one of those who want the same name at once have it', async () => {
    const replies = await times(8, () => tenant.send('POST', '/jobs', { name: 'wanted' }))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  it('lets one of those who change to the same name at once have it', async () => {
    const jobs: string[] = []
    for (let n = 0; n < 8; n++) jobs.push(await newJob(tenant.send, `job ${n}`))
    const endpoints: string[] = []
    for (let n = 0; n < 8; n++) {
      endpoints.push(await newEndpoint(tenant.send, jobs[0]!, { name: `endpoint ${n}` }))
    }
    for (const paths of [
      jobs.map((id) => `/jobs/${id}`),
      endpoints.map((id) => `/endpoints/${id}`),
    ]) {
      const replies = await times(8, (n) => tenant.send('PATCH', paths[n]!, { name: 'the one' }))
      expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
      const refused = replies.filter(({ status }) => status === 409)
      expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['name_taken']))
    }
  })

  it('lets one of many editors through who come at once', async () => {
    const path = `/jobs/${await newJob(tenant.send, 'edited')}`
    const tag = { 'if-match': '"1"' }
    const replies = await times(8, (n) => tenant.send('PATCH', path, { name: `by ${n}` }, tag))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)])
  })

  it('lets nobody past a quota by coming at once', async () => {
    const limited = await world.tenant('Limited')
    const quotas = { ...unlimited, endpoints: 3 }
    await world.store.tenant(limited.id, (rows) => rows.tenant.update({ quotas }))
    const job = await newJob(limited.send)
    const replies = await times(8, (n) =>
      limited.send('POST', `/jobs/${job}/endpoints`, {
        name: `e${n}`,
        url: 'https://x.example/',
        intervalMs: 60_000,
      }),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3)
    expect((await limited.send('GET', '/quotas')).body.usage.endpoints).toBe(3)
  })

  it('makes a secret once, and has those who come at once replace it in turn', async () => {
    const replies = await times(8, () => tenant.send('PUT', '/secrets/new'))
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201])
    const inTurn = replies.toSorted((a, b) => a.body.version - b.body.version)
    expect(inTurn.map(({ body }) => body.version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const { ports } = world
    const stored = await world.store.tenant(tenant.id, (rows) => rows.secrets.read('new'))
    const context = { purpose: 'secret', tenantId: tenant.id } as const
    const values = stored!.values.map(({ sealed }) => ports.vault.open(sealed, context))
    expect(values).toEqual([inTurn[7]!.body.value])
  })

  it('leaves an admin key when all are revoked at once', async () => {
    const owner = await world.tenant('Owner of keys')
    const made = await times(5, () => owner.send('POST', '/keys', { name: 'k', scopes: ['admin'] }))
    const ids = [owner.keyId, ...made.map(({ body }) => body.id)]
    const replies = await Promise.all(ids.map((id) => owner.send('DELETE', `/keys/${id}`)))
    const refused = replies.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(1)
  })

  it('takes one request for a run of many that come at once', async () => {
    const id = await newEndpoint(tenant.send, await newJob(tenant.send, 'of runs'))
    const replies = await times(8, () => tenant.send('POST', `/endpoints/${id}/run`))
    expect(replies.map(({ status }) => status).sort()).toEqual([202, ...Array(7).fill(409)])
  })

  it('is read while somebody has locked the endpoint and the run', async () => {
    const owner = await world.tenant('Owner of locks')
    const sample = await oneOfEverything(world, owner)
    const key = parseRunId(sample.runId)!
    const looks = allOperations().filter(
      ({ method, path }) => method === 'get' && /endpoint|run|forecast/.test(path),
    )
    const statuses = await world.store.tenant(owner.id, async (rows) => {
      expect(await rows.endpoints.get(sample.endpointId)).not.toBeNull()
      expect(await rows.runs.get(key)).not.toBeNull()
      return Promise.all(
        looks.map(async ({ operationId, path }) => {
          const target = path.replaceAll(
            /\{(\w+)\}/g,
            (_, name: string) => sample[name as keyof Sample],
          )
          return [operationId, (await owner.send('GET', target)).status]
        }),
      )
    })
    expect(looks.length).toBeGreaterThan(8)
    expect(statuses).toEqual(
      looks.map(({ operationId }) => [operationId, operationId === 'getRunBody' ? 404 : 200]),
    )
  })

  it('finds nothing of another tenant, by any path', async () => {
    const [owner, stranger] = [await world.tenant('Owner'), await world.tenant('Stranger')]
    const sample = await oneOfEverything(world, owner)
    for (const { operationId, method, path, bodyExample } of allOperations()) {
      if (!path.includes('{') || operationId === 'putSecret') continue
      const target = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => sample[name as keyof Sample],
      )
      const { status } = await stranger.send(method.toUpperCase(), target, bodyExample)
      expect([operationId, status]).toEqual([operationId, 404])
    }
    for (const { operationId, method, path, answer } of allOperations()) {
      if (method !== 'get' || path === '/events' || path === '/session') continue
      const target = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => sample[name as keyof Sample],
      )
      const { status, body } = await owner.send('GET', target)
      if (operationId === 'getRunBody') continue
      expect([operationId, status]).toEqual([operationId, 200])
      expect(answer.schema!.safeParse(body).error?.issues).toBeUndefined()
    }
  })
})
