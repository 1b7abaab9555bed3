import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '../src/scheduling/index.js'
import { newEndpoint, newJob } from '../testing/api/sample.js'
import { TenantApi } from '../testing/api/tenant-api.js'

const minute = 60_000
const fiveMinutes = 300_000

const api = new TenantApi()
const { send } = api
beforeEach(api.openWithJob)
afterEach(api.close)

const plusMs = (ms: number): string =>
  new Date(api.clock.now().getTime() + ms).toISOString().replace('.000Z', 'Z')

/** Claims and ends whatever is due, minute after minute, and answers what made it run. */
async function sourcesOfMinutes(minutes: number): Promise<string[]> {
  const sources: string[] = []
  for (let n = 0; n < minutes; n++) {
    await api.clock.advanceBy(minute)
    const claim = await api.worker.claim()
    sources.push(claim.claimed.map(({ source }) => source).join() || '-')
    await api.worker.end(claim)
  }
  return sources
}

describe('a job', () => {
  it('holds several endpoints, which are its own', async () => {
    const dataSync = await newJob(send, 'Data Sync')
    const names = ['users', 'products', 'orders']
    for (const name of names) await newEndpoint(send, dataSync, { name })
    await newEndpoint(send, api.job, { name: 'elsewhere' })
    const { body } = await send('GET', `/jobs/${dataSync}/endpoints`)
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(names)
    for (const { jobId } of body.items) expect(jobId).toBe(dataSync)
  })
})

describe('an endpoint', () => {
  it('has a URL and a method, and runs every five minutes', async () => {
    const example = { url: 'https://api.example.com/sync/users', method: 'POST' }
    const id = await newEndpoint(send, api.job, { ...example, intervalMs: fiveMinutes })
    const path = `/endpoints/${id}`
    expect((await send('GET', path)).body).toMatchObject({
      ...example,
      nextRunAt: plusMs(fiveMinutes),
      source: 'baseline-interval',
    })
    await api.clock.advanceBy(fiveMinutes)
    await api.worker.end(await api.worker.claim())
    expect((await send('GET', path)).body.nextRunAt).toBe(plusMs(fiveMinutes))
  })

  it('of 0 */5 * * * runs every five hours', async () => {
    const id = await newEndpoint(send, api.job, { cron: '0 */5 * * *' })
    const { body } = await send('GET', `/endpoints/${id}/next?count=5`)
    expect(body.items.map(({ nextRunAt }: { nextRunAt: string }) => nextRunAt)).toEqual([
      '2026-03-01T05:00:00Z',
      '2026-03-01T10:00:00Z',
      '2026-03-01T15:00:00Z',
      '2026-03-01T20:00:00Z',
      '2026-03-02T00:00:00Z',
    ])
  })

  it('keeps a minute at least and an hour at most between its runs', async () => {
    const limits = { minIntervalMs: minute, maxIntervalMs: 60 * minute }
    const often = { ...limits, intervalMs: 1000, name: 'often' }
    const rarely = { ...limits, cron: '0 0 1 1 *', name: 'rarely' }
    const plans = []
    for (const given of [often, rarely]) {
      const { body } = await send('GET', `/endpoints/${await newEndpoint(send, api.job, given)}`)
      plans.push([body.nextRunAt, body.source])
    }
    expect(plans).toEqual([
      [plusMs(minute), 'clamped-min'],
      [plusMs(60 * minute), 'clamped-max'],
    ])
  })
})

describe('a hint', () => {
  it('of an interval has the endpoint run every minute, until it ends', async () => {
    const id = await newEndpoint(send, api.job, { intervalMs: fiveMinutes })
    const hint = { intervalMs: minute, ttlMinutes: 3, reason: 'High failure rate detected' }
    const { body } = await send('PUT', `/endpoints/${id}/hints/interval`, hint)
    expect(body.hints.interval).toMatchObject({ reason: hint.reason, expiresAt: plusMs(180_000) })
    const hinted = ['ai-interval', 'ai-interval', 'ai-interval']
    const baseline = ['-', '-', '-', '-', 'baseline-interval']
    expect(await sourcesOfMinutes(8)).toEqual([...hinted, ...baseline])
  })

  it('of one time has the endpoint run then, once', async () => {
    const id = await newEndpoint(send, api.job, { intervalMs: fiveMinutes })
    const nextRunAt = plusMs(2 * minute)
    const hint = { nextRunAt, ttlMinutes: 60, reason: 'Immediate sync required' }
    const { body } = await send('PUT', `/endpoints/${id}/hints/one-shot`, hint)
    expect(body).toMatchObject({
      nextRunAt,
      hints: { oneShot: { nextRunAt, reason: hint.reason } },
    })
    const baseline = ['-', '-', '-', '-', 'baseline-interval']
    expect(await sourcesOfMinutes(7)).toEqual(['-', 'ai-oneshot', ...baseline])
  })
})

describe('a pause', () => {
  it('ends with another plan, not with a run that the schedule does not have', async () => {
    const id = await newEndpoint(send, api.job, { cron: '0 5 * * *' })
    const pausedUntil = '2026-03-01T03:00:00Z'
    await send('POST', `/endpoints/${id}/pause`, { pausedUntil, reason: 'Maintenance window' })
    const { body: paused } = await send('GET', `/endpoints/${id}`)
    expect(paused).toMatchObject({ nextRunAt: pausedUntil, source: 'paused' })
    await api.clock.advanceTo(Date.parse(pausedUntil))
    expect((await api.worker.claim()).claimed).toEqual([])
    const { body: planned } = await send('GET', `/endpoints/${id}`)
    expect(planned).toMatchObject({ nextRunAt: '2026-03-01T05:00:00Z', source: 'baseline-cron' })
  })
})

describe('a claim', () => {
  it('of ten within five seconds takes ten, and nothing that is due later', async () => {
    const due = Array.from({ length: 12 }, (_, n) => ({ name: `due ${n}`, intervalMs: minute }))
    const edges = [
      { name: 'at the edge', intervalMs: minute + 5000 },
      { name: 'beyond it', intervalMs: minute + 5001 },
    ]
    const nameOf = new Map<string, string>()
    for (const given of [...due, ...edges]) {
      nameOf.set(await newEndpoint(send, api.job, given), given.name)
    }
    await api.clock.advanceBy(minute)
    const first = await api.worker.claim(5000, 10)
    expect(first.claimed).toHaveLength(10)
    const { claimed } = await api.worker.claim(5000, 10)
    expect(claimed.map(({ endpointId }) => nameOf.get(endpointId))).toHaveLength(3)
    expect(claimed.map(({ endpointId }) => nameOf.get(endpointId))).toContain('at the edge')
    expect((await api.worker.claim(5000, 10)).claimed).toEqual([])
  })
})

describe('a run', () => {
  it.each<[Outcome['status'], number]>([
    ['success', 0],
    ['failure', 3],
    ['timeout', 3],
    ['cancelled', 2],
  ])('that ends as %s is recorded with times, error and response', async (status, failures) => {
    const id = await newEndpoint(send, api.job, { intervalMs: fiveMinutes })
    for (let n = 0; n < 2; n++) {
      await api.clock.advanceBy(fiveMinutes)
      await api.worker.end(await api.worker.claim(), { status: 'failure' })
    }
    await api.clock.advanceBy(fiveMinutes)
    const claim = await api.worker.claim()
    const [running] = (await send('GET', '/runs?status=running')).body.items
    const known = { source: 'baseline-interval', context: { failureCount: 2 } }
    expect(running).toMatchObject({ ...known, status: 'running', endedAt: null, durationMs: null })
    const startedAt = api.clock.now().getTime()
    const error = status === 'success' ? null : { code: 'a_code', message: 'What went wrong' }
    const response = { httpStatus: 500, headers: { a: 'b' }, truncated: false }
    const ended = { status, error, startedAt, endedAt: startedAt + 1234 }
    await api.clock.advanceBy(2000)
    await api.worker.end(claim, { ...ended, response: { ...response, body: Buffer.from('four') } })
    expect((await send('GET', `/runs/${running.id}`)).body).toMatchObject({
      ...known,
      status,
      startedAt: plusMs(-2000),
      endedAt: new Date(startedAt + 1234).toISOString(),
      durationMs: 1234,
      error,
      response: { ...response, bodyBytes: 4 },
    })
    expect((await send('GET', `/endpoints/${id}`)).body).toMatchObject({
      lastStatus: status,
      lastRunAt: plusMs(-2000),
      failureCount: failures,
      nextRunAt: plusMs(fiveMinutes - 2000),
      source: 'baseline-interval',
    })
  })
})
