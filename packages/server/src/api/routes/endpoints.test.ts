import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint, newJob } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'
import { unlimited } from '../../domain/index.js'

describe('an endpoint', () => {
  const api = new TenantApi()
  const { send, createEndpoint: create } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it('has defaults for all but its name, URL and baseline', async () => {
    const { status, body, headers } = await create({ intervalMs: 60_000 })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/v1/endpoints/${body.id}`)
    expect(body).toMatchObject({
      method: 'GET',
      headers: {},
      body: null,
      cron: null,
      timeoutMs: 30_000,
      maxExecutionTimeMs: 60_000,
      maxResponseSizeKb: 64,
      concurrency: 'forbid',
      deadlineMs: null,
      retry: null,
      onWorkerLoss: 'cancel',
      redirects: 'refuse',
      failureCountPolicy: 'reset',
      steering: false,
      planner: 'suggest',
      adaptive: { outsideCron: false },
      secret: null,
      keepResponses: true,
      status: 'active',
      nextRunAt: '2026-03-01T02:33:20Z',
      source: 'baseline-interval',
      failureCount: 0,
      hints: { interval: null, oneShot: null },
      quotaHold: false,
      version: 1,
    })
  })

  it.each([
    [{}, { backoffMs: 1000, maxDelayMs: 60_000, jitter: 0 }],
    [{ jitter: 0.5 }, { backoffMs: 1000, maxDelayMs: 60_000, jitter: 0.5 }],
    [{ backoffMs: 90_000 }, { backoffMs: 90_000, maxDelayMs: 90_000, jitter: 0 }],
    [{ maxDelayMs: 500 }, { backoffMs: 500, maxDelayMs: 500, jitter: 0 }],
  ])('has defaults for all of its retries but their number: %j', async (given, full) => {
    const { status, body } = await create({ intervalMs: 5, retry: { attempts: 3, ...given } })
    expect([status, body.retry]).toEqual([201, { attempts: 3, ...full }])
  })

  it('has new retries as a whole, with the defaults again', async () => {
    const retry = { attempts: 3, backoffMs: 5, maxDelayMs: 5, jitter: 1 }
    const { body } = await create({ intervalMs: 5, retry })
    expect(body.retry).toEqual(retry)
    const changed = await send('PATCH', `/endpoints/${body.id}`, { retry: { attempts: 2 } })
    expect(changed.body.retry).toEqual({
      attempts: 2,
      backoffMs: 1000,
      maxDelayMs: 60_000,
      jitter: 0,
    })
  })

  it('may go where the operator allows, and use placeholders', async () => {
    const { status } = await create({
      intervalMs: 5,
      url: 'http://127.0.0.1:9999/{{runId}}?at={{scheduledFor}}',
      method: 'POST',
      headers: { 'X-Attempt': '{{attempt}}' },
      body: { kind: 'json', content: '{"run":"{{runId}}","attempt":{{attempt}}}' },
    })
    expect(status).toBe(201)
  })

  it('never shows the values of its headers, in answers, store or audit log', async () => {
    const { body } = await create({ intervalMs: 5, headers: { Authorization: 'hunter2' } })
    expect(body.headers).toEqual({ Authorization: '•••' })
    const path = `/endpoints/${body.id}`
    const kept = await send('PATCH', path, {
      headers: { Authorization: '•••', 'X-New': 'hunter3' },
    })
    expect(kept.body.headers).toEqual({ Authorization: '•••', 'X-New': '•••' })
    const stored = await api.store.tenant(api.tenant.id, ({ endpoints }) => endpoints.get(body.id))
    const { headers } = stored!.endpoint.definition
    const open = (name: string) =>
      api.world.ports.vault.open(headers[name]!, { purpose: 'header', tenantId: api.tenant.id })
    expect([open('Authorization'), open('X-New')]).toEqual(['hunter2', 'hunter3'])
    const everything = [JSON.stringify(stored), (await send('GET', '/audit')).text, kept.text]
    for (const text of everything) expect(text).not.toMatch(/hunter/)
    expect((await send('PATCH', path, { headers: null })).body.headers).toEqual({})
  })

  it('is changed field by field: given replaces, null clears, absent stays', async () => {
    const id = await newEndpoint(send, api.job, {
      cron: '0 2 * * *',
      timezone: 'Europe/Berlin',
      timeoutMs: 5000,
    })
    const path = `/endpoints/${id}`
    const first = await send('PATCH', path, { timeoutMs: 100_000, description: 'x' })
    expect(first.body).toMatchObject({
      timeoutMs: 100_000,
      maxExecutionTimeMs: 130_000,
      timezone: 'Europe/Berlin',
      description: 'x',
      nextRunAt: '2026-03-02T01:00:00Z',
    })
    const second = await send('PATCH', path, { timeoutMs: null, timezone: null })
    expect(second.body).toMatchObject({
      timeoutMs: 30_000,
      maxExecutionTimeMs: 60_000,
      timezone: null,
      description: 'x',
      nextRunAt: '2026-03-02T02:00:00Z',
      version: 3,
    })
    const third = await send('PATCH', path, { cron: null, intervalMs: 60_000 })
    expect(third.body).toMatchObject({
      cron: null,
      intervalMs: 60_000,
      nextRunAt: '2026-03-01T02:33:20Z',
    })
    expect((await send('PATCH', path, { intervalMs: null })).body.field).toBe('cron')
    expect((await send('PATCH', path, { name: null })).body.field).toBe('name')
    expect((await send('PATCH', path, { minIntervalMs: 10, maxIntervalMs: 5 })).status).toBe(400)
    expect((await send('GET', path)).body.version).toBe(4)
  })

  it('has a name of its own within its job', async () => {
    await newEndpoint(send, api.job, { name: 'a' })
    const other = await newEndpoint(send, api.job, { name: 'b' })
    expect((await create({ name: 'a', intervalMs: 5 })).body.code).toBe('name_taken')
    expect((await send('PATCH', `/endpoints/${other}`, { name: 'a' })).body.code).toBe('name_taken')
    const second = await newJob(send, 'second')
    expect(await newEndpoint(send, second, { name: 'a' })).toMatch(/^ep_/)
  })

  it('counts against the quota, also when many are made at once or come back', async () => {
    const quotas = { ...unlimited, endpoints: 3 }
    await api.store.tenant(api.tenant.id, ({ tenant: rows }) => rows.update({ quotas }))
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => create({ name: `e${n}`, intervalMs: 5 })),
    )
    const made = replies.filter(({ status }) => status === 201)
    expect(made).toHaveLength(3)
    expect(replies.find(({ status }) => status === 403)!.body.code).toBe('quota_exceeded')
    expect((await send('GET', '/quotas')).body.usage.endpoints).toBe(3)
    await send('POST', `/endpoints/${made[0]!.body.id}/archive`)
    expect((await create({ name: 'last', intervalMs: 5 })).status).toBe(201)
    const back = await send('POST', `/endpoints/${made[0]!.body.id}/resume`)
    expect(back.body.code).toBe('quota_exceeded')
  })

  it('pauses until an instant, and resumes when that is set to null', async () => {
    const path = `/endpoints/${await newEndpoint(send, api.job)}`
    const pause = { pausedUntil: '2026-03-01T16:00:00+01:00', reason: 'Maintenance window' }
    const paused = await send('POST', `${path}/pause`, pause)
    expect(paused.body).toMatchObject({
      status: 'paused',
      pausedUntil: '2026-03-01T15:00:00Z',
      pauseReason: 'Maintenance window',
      nextRunAt: '2026-03-01T15:00:00Z',
      source: 'paused',
    })
    const resumed = await send('POST', `${path}/pause`, { pausedUntil: null })
    expect(resumed.body).toMatchObject({
      status: 'active',
      pausedUntil: null,
      pauseReason: null,
      nextRunAt: '2026-03-01T02:35:00Z',
    })
    for (const pausedUntil of [
      '2026-03-01',
      '2026-03-01T02:32:20',
      'tomorrow',
      '2020-01-01T00:00:00Z',
      5,
    ]) {
      const reply = await send('POST', `${path}/pause`, { pausedUntil })
      expect([reply.status, reply.body.field]).toEqual([400, 'pausedUntil'])
    }
  })

  it.each(['forbid', 'allow'])(
    'with concurrency %s takes back a run claimed ahead when it is paused',
    async (concurrency) => {
      const id = await newEndpoint(send, api.job, { concurrency })
      await api.clock.advanceTo(Date.parse('2026-03-01T02:34:58Z'))
      const claim = await api.worker.claim(5000)
      expect(claim.claimed).toHaveLength(1)
      expect((await send('GET', `/endpoints/${id}`)).body.status).toBe('active')
      await send('POST', `/endpoints/${id}/pause`, { pausedUntil: '2026-03-01T03:00:00Z' })
      const { items } = (await send('GET', '/runs')).body
      expect(items).toMatchObject([{ status: 'cancelled', reason: 'paused' }])
      expect((await api.worker.end(claim)).answers).toEqual(['fenced'])
      expect((await send('GET', `/endpoints/${id}`)).body.nextRunAt).toBe('2026-03-01T03:00:00Z')
    },
  )

  it('takes hints that the Governor keeps within its limits, until told not to', async () => {
    const id = await newEndpoint(send, api.job, { intervalMs: 600_000, minIntervalMs: 60_000 })
    const path = `/endpoints/${id}`
    const hint = { intervalMs: 120_000, ttlMinutes: 30, reason: 'High failure rate' }
    const hinted = await send('PUT', `${path}/hints/interval`, hint)
    expect(hinted.body).toMatchObject({
      nextRunAt: '2026-03-01T02:34:20Z',
      source: 'ai-interval',
      hints: {
        interval: {
          intervalMs: 120_000,
          expiresAt: '2026-03-01T03:02:20Z',
          reason: 'High failure rate',
          by: api.tenant.keyId,
        },
      },
    })
    const soon = { nextRunAt: '2026-03-01T02:32:30Z', ttlMinutes: 60, reason: null }
    const once = await send('PUT', `${path}/hints/one-shot`, soon)
    expect(once.body).toMatchObject({ nextRunAt: '2026-03-01T02:33:20Z', source: 'clamped-min' })
    const cleared = await send('DELETE', `${path}/hints`)
    expect(cleared.body).toMatchObject({
      nextRunAt: '2026-03-01T02:42:20Z',
      source: 'baseline-interval',
      hints: { interval: null, oneShot: null },
    })
    for (const ttlMinutes of [0, 10_081, 1.5]) {
      const reply = await send('PUT', `${path}/hints/interval`, { ...hint, ttlMinutes })
      expect([reply.status, reply.body.field]).toEqual([400, 'ttlMinutes'])
    }
  })

  it('takes people’s hints also where planners must keep out', async () => {
    const id = await newEndpoint(send, api.job, { planner: 'off' })
    const hint = { nextRunAt: '2026-03-01T02:33:00Z', ttlMinutes: 5 }
    const reply = await send('PUT', `/endpoints/${id}/hints/one-shot`, hint)
    expect(reply.body).toMatchObject({ nextRunAt: hint.nextRunAt, source: 'ai-oneshot' })
  })

  it('counts failures until somebody resets them', async () => {
    const id = await newEndpoint(send, api.job, { cron: '* * * * *' })
    await api.clock.advanceBy(60_000)
    await api.worker.end(await api.worker.claim(), { status: 'failure' })
    expect((await send('GET', `/endpoints/${id}`)).body).toMatchObject({
      failureCount: 1,
      lastStatus: 'failure',
    })
    const reset = await send('POST', `/endpoints/${id}/reset-failures`)
    expect(reset.body.failureCount).toBe(0)
  })

  it('that is archived runs no more, and comes back as it was', async () => {
    const id = await newEndpoint(send, api.job)
    const path = `/endpoints/${id}`
    const run = await send('POST', `${path}/run`)
    const archived = await send('POST', `${path}/archive`)
    expect(archived.body).toMatchObject({ status: 'archived', nextRunAt: null, version: 2 })
    expect((await send('GET', `/runs/${run.body.id}`)).body).toMatchObject({
      status: 'cancelled',
      reason: 'archived',
    })
    expect((await send('POST', `${path}/run`)).body.code).toBe('endpoint_archived')
    await api.clock.advanceBy(3_600_000)
    expect((await api.worker.claim()).claimed).toEqual([])
    expect((await send('GET', '/endpoints?archived=false')).body.items).toEqual([])
    expect((await send('GET', '/endpoints?archived=true')).body.items).toHaveLength(1)
    const back = await send('POST', `${path}/resume`)
    expect(back.body).toMatchObject({ status: 'active', nextRunAt: '2026-03-01T03:35:00Z' })
  })

  it('tells what it will do, why, and how it did', async () => {
    const path = `/endpoints/${await newEndpoint(send, api.job)}`
    const next = await send('GET', `${path}/next?count=3`)
    expect(next.body.items.map(({ nextRunAt }: { nextRunAt: string }) => nextRunAt)).toEqual([
      '2026-03-01T02:35:00Z',
      '2026-03-01T02:40:00Z',
      '2026-03-01T02:45:00Z',
    ])
    expect((await send('GET', `${path}/next?count=101`)).body.field).toBe('count')
    const { body: why } = await send('GET', `${path}/explain`)
    expect(why).toMatchObject({ state: 'planned', plan: { source: 'baseline-cron' } })
    await api.clock.advanceTo(Date.parse('2026-03-01T02:35:00Z'))
    await api.worker.end(await api.worker.claim())
    const { body: health } = await send('GET', `${path}/health`)
    expect(health).toMatchObject({
      runs: 1,
      successRate: 1,
      streak: { status: 'success', length: 1 },
    })
    const { body: load } = await send('GET', '/forecast?minutes=10')
    expect(load.items.map(({ runs }: { runs: number }) => runs)).toEqual([
      0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
    ])
  })

  it('is explained though it is paused for thousands of years', async () => {
    const id = await newEndpoint(send, api.job)
    const far = { pausedUntil: '9999-12-31T23:59:59Z' }
    expect((await send('POST', `/endpoints/${id}/pause`, far)).status).toBe(200)
    const { status, body } = await send('GET', `/endpoints/${id}/explain`)
    expect([status, body.plan.nextRunAt]).toEqual([200, far.pausedUntil])
  })

  it.each(['9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+23:59'])(
    'is not paused until %s, which has no year of four digits',
    async (pausedUntil) => {
      const id = await newEndpoint(send, api.job)
      const reply = await send('POST', `/endpoints/${id}/pause`, { pausedUntil })
      expect([reply.status, reply.body.errors[0].code]).toEqual([400, 'out_of_range'])
    },
  )
})
