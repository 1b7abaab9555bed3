import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiWorld } from '../../../testing/api/api-world.js'
import { newEndpoint, newJob } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'
import { onBothStores } from '../../../testing/both-stores.js'
import { noSystemQuotas, unlimited } from '../../domain/index.js'
import type { Outcome } from '../../scheduling/index.js'

describe('a run', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it('that is asked for waits for a worker, wakes it, and is taken beside the plan', async () => {
    const id = await newEndpoint(send, api.job)
    const woken: number[] = []
    api.store.signals.onWake((instant) => void woken.push(instant))
    const asked = await send('POST', `/endpoints/${id}/run`)
    expect(asked.status).toBe(202)
    expect(asked.body).toMatchObject({ status: 'pending', source: 'manual', endpointId: id })
    expect(woken).toEqual([api.clock.now().getTime()])
    const again = await send('POST', `/endpoints/${id}/run`)
    expect([again.status, again.body.code]).toEqual([409, 'run_already_requested'])
    const claim = await api.worker.claim()
    expect(claim.claimed).toMatchObject([{ endpointId: id, source: 'manual' }])
    expect((await send('GET', `/endpoints/${id}`)).body.status).toBe('running')
    await api.worker.end(claim)
    expect((await send('GET', `/runs/${asked.body.id}`)).body).toMatchObject({ status: 'success' })
    expect((await send('GET', `/endpoints/${id}`)).body).toMatchObject({
      status: 'active',
      nextRunAt: '2026-03-01T02:35:00Z',
    })
  })

  it('may be asked for again and again, in the same millisecond', async () => {
    const id = await newEndpoint(send, api.job)
    const seen = new Set<string>()
    for (let n = 0; n < 5; n++) {
      const { status, body } = await send('POST', `/endpoints/${id}/run`)
      expect(status).toBe(202)
      seen.add(body.id)
      await send('POST', `/runs/${body.id}/cancel`)
    }
    expect(seen.size).toBe(5)
  })

  it('that waits is cancelled, and another may be asked for', async () => {
    const id = await newEndpoint(send, api.job)
    const { body: run } = await send('POST', `/endpoints/${id}/run`)
    const cancelled = await send('POST', `/runs/${run.id}/cancel`)
    expect(cancelled.body).toMatchObject({ status: 'cancelled', reason: 'user' })
    expect((await api.worker.claim()).claimed).toEqual([])
    const again = await send('POST', `/runs/${run.id}/cancel`)
    expect([again.status, again.body.code]).toEqual([409, 'run_ended'])
    expect((await send('POST', `/endpoints/${id}/run`)).status).toBe(202)
  })

  it('that is under way is cancelled: its worker is told, and comes too late', async () => {
    const id = await newEndpoint(send, api.job, { intervalMs: 60_000 })
    await api.clock.advanceBy(60_000)
    const claim = await api.worker.claim()
    const aborted: unknown[] = []
    api.store.signals.onAbort((run) => void aborted.push(run))
    const [run] = (await send('GET', '/runs?status=running')).body.items
    await api.clock.advanceBy(1000)
    expect((await send('POST', `/runs/${run.id}/cancel`)).body.status).toBe('cancelled')
    expect(aborted).toEqual([{ endpointId: id, scheduledFor: claim.claimed[0]!.scheduledFor }])
    expect((await api.worker.end(claim)).answers).toEqual(['fenced'])
    expect((await send('GET', `/endpoints/${id}`)).body).toMatchObject({
      status: 'active',
      lastStatus: 'cancelled',
      nextRunAt: '2026-03-01T02:34:20Z',
    })
  })

  it('that is cancelled after periods have come leaves them as skipped, like one that ends', async () => {
    const lease = { maxExecutionTimeMs: 3_600_000 }
    const id = await newEndpoint(send, api.job, { ...lease, cron: '*/5 * * * *' })
    await api.clock.advanceBy(160_000)
    await api.worker.claim()
    await api.clock.advanceBy(720_000)
    const events: string[] = []
    api.store.signals.onEvent(
      api.tenant.id,
      ({ type, status }) => void events.push(`${type} ${status}`),
    )
    const [run] = (await send('GET', '/runs?status=running')).body.items
    expect((await send('POST', `/runs/${run.id}/cancel`)).status).toBe(200)
    const { items } = (await send('GET', `/endpoints/${id}/runs`)).body
    const rows = items.map((each: Record<string, unknown>) => [
      each['periodId'],
      each['status'],
      each['reason'],
      each['endedAt'],
    ])
    expect(rows).toEqual([
      ['2026-03-01T02:45:00Z', 'skipped', 'concurrency', '2026-03-01T02:47:00Z'],
      ['2026-03-01T02:40:00Z', 'skipped', 'concurrency', '2026-03-01T02:47:00Z'],
      ['2026-03-01T02:35:00Z', 'cancelled', 'user', '2026-03-01T02:47:00Z'],
    ])
    expect((await send('GET', `/endpoints/${id}`)).body).toMatchObject({
      status: 'active',
      lastStatus: 'cancelled',
      nextRunAt: '2026-03-01T02:50:00Z',
    })
    expect(events.sort()).toEqual(['run.ended cancelled', 'run.ended skipped', 'run.ended skipped'])
  })

  it('is made again under a new id that knows the old one', async () => {
    const id = await newEndpoint(send, api.job)
    const { body: first } = await send('POST', `/endpoints/${id}/run`)
    await api.worker.end(await api.worker.claim(), { status: 'failure' })
    const replay = await send('POST', `/runs/${first.id}/replay`)
    expect(replay.status).toBe(202)
    expect(replay.body).toMatchObject({
      source: 'replay',
      status: 'pending',
      context: { replayOf: first.id, failureCount: 1 },
    })
    expect((await api.worker.claim(1000)).claimed).toMatchObject([{ source: 'replay' }])
    await send('DELETE', `/endpoints/${id}`)
    const gone = await send('POST', `/runs/${first.id}/replay`)
    expect([gone.status, gone.body.code]).toEqual([409, 'endpoint_deleted'])
  })

  it('over the quota of the month can not be asked for', async () => {
    const id = await newEndpoint(send, api.job)
    await send('POST', `/endpoints/${id}/run`)
    await api.worker.end(await api.worker.claim())
    const quotas = { ...unlimited, runsPerMonth: 1 }
    await api.store.tenant(api.tenant.id, ({ tenant: rows }) => rows.update({ quotas }))
    const reply = await send('POST', `/endpoints/${id}/run`)
    expect([reply.status, reply.body.code]).toEqual([403, 'quota_exceeded'])
    await api.clock.advanceTo(Date.parse('2026-03-01T02:35:00Z'))
    await api.worker.claim()
    expect((await send('GET', `/endpoints/${id}`)).body).toMatchObject({
      quotaHold: true,
      nextRunAt: '2026-04-01T00:00:00Z',
      source: 'quota',
    })
    await api.clock.advanceTo(Date.parse('2026-04-01T00:00:00Z'))
    expect((await send('POST', `/endpoints/${id}/run`)).status).toBe(202)
  })

  it('over the quota of the whole system can not be asked for, and the answer says whose', async () => {
    await api.close()
    const systemQuotas = { ...noSystemQuotas, runsPerMonth: 1 }
    await api.openOn(await ApiWorld.open({}, systemQuotas))
    const other = await api.world.tenant('other')
    const foreign = await newEndpoint(other.send, await newJob(other.send))
    await other.send('POST', `/endpoints/${foreign}/run`)
    await api.worker.end(await api.worker.claim())
    const id = await newEndpoint(send, api.job)
    const reply = await send('POST', `/endpoints/${id}/run`)
    expect(reply).toMatchObject({
      status: 403,
      body: {
        code: 'system_quota_exceeded',
        title: 'A quota of all tenants together is used up',
        detail: 'The quota of 1 runs a month for the whole system is used up.',
      },
    })
    await api.clock.advanceTo(Date.parse('2026-03-01T02:35:00Z'))
    await api.worker.claim()
    const waiting = { quotaHold: true, nextRunAt: '2026-04-01T00:00:00Z', source: 'system-quota' }
    expect((await send('GET', `/endpoints/${id}`)).body).toMatchObject(waiting)
    await api.clock.advanceTo(Date.parse('2026-04-01T00:00:00Z'))
    expect((await send('POST', `/endpoints/${id}/run`)).status).toBe(202)
    expect((await api.worker.claim()).claimed).toMatchObject([{ endpointId: id }])
  })

  it('shows what came back, and gives its body as a file that no browser runs', async () => {
    const id = await newEndpoint(send, api.job)
    const { body: run } = await send('POST', `/endpoints/${id}/run`)
    const html = '<script>alert(1)</script>'
    const response = {
      httpStatus: 200,
      headers: { 'content-type': 'text/html' },
      truncated: false,
      body: Buffer.from(html),
    }
    await api.worker.end(await api.worker.claim(), { response })
    expect((await send('GET', `/runs/${run.id}`)).body.response).toMatchObject({
      httpStatus: 200,
      bodyBytes: html.length,
      truncated: false,
    })
    const { text, headers } = await send('GET', `/runs/${run.id}/body`)
    expect(text).toBe(html)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('x-kron-content-type')).toBe('text/html')
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })
})

const cut = { httpStatus: 200, headers: {}, truncated: true, body: new Uint8Array(1024) }
const slow = { code: 'timeout', message: 'no complete response within 5s' }
const unconnected = { code: 'connect_timeout', message: 'no connection within 10s' }

describe('the context of a run names the limits that it met', () => {
  onBothStores((api) => {
    it.each<[name: string, ended: Partial<Outcome>, violations: string[]]>([
      ['a response that was cut', { response: cut }, ['maxResponseSizeKb']],
      ['a time-out', { status: 'timeout', error: slow, response: null }, ['timeoutMs']],
      [
        'a time-out within a response that was cut',
        { status: 'timeout', error: slow, response: cut },
        ['timeoutMs', 'maxResponseSizeKb'],
      ],
      [
        'no connection in time',
        { status: 'timeout', error: unconnected, response: null },
        ['connectTimeoutMs'],
      ],
      [
        'a lease that was over before anything was sent',
        { status: 'cancelled', reason: 'lease_expired', response: null },
        ['maxExecutionTimeMs'],
      ],
      ['nothing of the kind', {}, []],
    ])('after %s', async (_, ended, violations) => {
      const id = await newEndpoint(api.send, api.job)
      const { body: run } = await api.send('POST', `/endpoints/${id}/run`)
      await api.worker.end(await api.worker.claim(), ended)
      const { body } = await api.send('GET', `/runs/${run.id}`)
      expect(body.context.violations).toEqual(violations)
      const listed = await api.send('GET', `/runs?endpointId=${id}`)
      expect(listed.body.items).toMatchObject([{ context: { violations } }])
    })
  })
})

describe('a run that is due at this very instant', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it.each([
    ['paused', 'pause', { pausedUntil: '2026-03-01T03:00:00Z' }],
    ['archived', 'archive', undefined],
  ])('is sent, and ends as it may when its endpoint is %s', async (_, verb, body) => {
    const id = await newEndpoint(send, api.job)
    await api.clock.advanceTo(Date.parse('2026-03-01T02:35:00Z'))
    const claim = await api.worker.claim()
    expect(claim.claimed).toHaveLength(1)
    await send('POST', `/endpoints/${id}/${verb}`, body)
    expect((await send('GET', '/runs')).body.items).toMatchObject([{ status: 'running' }])
    const held = await api.store.tenant(
      api.tenant.id,
      async ({ endpoints }) => (await endpoints.read(id))?.plan.held,
    )
    expect(held).toMatchObject({ scheduledFor: api.clock.now().getTime() })
    expect((await api.worker.end(claim)).answers).toEqual(['recorded'])
  })
})

describe('a run that was claimed ahead of its time', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.openWithJob)
  afterEach(api.close)

  it.each([
    ['pausing its endpoint', 'endpoints', 'pause', { pausedUntil: '2026-03-01T03:00:00Z' }],
    ['archiving its endpoint', 'endpoints', 'archive', undefined],
    ['pausing its job', 'jobs', 'pause', undefined],
    ['archiving its job', 'jobs', 'archive', undefined],
  ])('is taken from its worker by %s', async (_, kind, verb, body) => {
    const endpointId = await newEndpoint(send, api.job)
    await api.clock.advanceTo(Date.parse('2026-03-01T02:34:58Z'))
    const [claimed] = (await api.worker.claim(5_000)).claimed
    const told: unknown[] = []
    api.store.signals.onAbort((run) => void told.push(run))
    api.store.signals.onEvent(api.tenant.id, ({ type, status }) => {
      if (type === 'run.ended') told.push(status)
    })
    await send('POST', `/${kind}/${kind === 'jobs' ? api.job : endpointId}/${verb}`, body)
    const { scheduledFor } = claimed!
    expect(told).toHaveLength(2)
    expect(told).toEqual(expect.arrayContaining([{ endpointId, scheduledFor }, 'cancelled']))
  })
})

onBothStores((api) => {
  it('the runs of a job include those of endpoints that were deleted', async () => {
    const id = await newEndpoint(api.send, api.job)
    const { body: run } = await api.send('POST', `/endpoints/${id}/run`)
    await api.worker.end(await api.worker.claim())
    const found = async () => {
      const { body } = await api.send('GET', `/runs?jobId=${api.job}`)
      return body.items.map((each: { id: string }) => each.id)
    }
    expect(await found()).toEqual([run.id])
    await api.send('DELETE', `/endpoints/${id}`)
    expect(await found()).toEqual([run.id])
    await api.send('DELETE', `/jobs/${api.job}`)
    expect(await found()).toEqual([run.id])
  })
})
