import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newEndpoint, newJob } from '../../../testing/api/sample.js'
import { TenantApi } from '../../../testing/api/tenant-api.js'
import { onBothStores } from '../../../testing/both-stores.js'

describe('a job', () => {
  const api = new TenantApi()
  const { send } = api
  beforeEach(api.open)
  afterEach(api.close)

  it('is made, shown, renamed and deleted', async () => {
    const made = await send('POST', '/jobs', { name: 'Data sync', description: 'All of it' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: 'Data sync',
      description: 'All of it',
      status: 'active',
    })
    const path = `/jobs/${made.body.id}`
    expect(made.headers.get('location')).toBe(`/api/v1${path}`)
    await send('PATCH', path, { name: 'Sync', description: null })
    expect((await send('GET', path)).body).toMatchObject({ name: 'Sync', description: null })
    expect((await send('DELETE', path)).status).toBe(204)
    expect((await send('GET', path)).status).toBe(404)
  })

  it('has a name of its own among those that are not archived', async () => {
    const first = await newJob(send, 'a')
    const second = await newJob(send, 'b')
    const refused = await send('POST', '/jobs', { name: 'a' })
    expect(refused.body).toMatchObject({ status: 409, code: 'name_taken', field: 'name' })
    expect((await send('PATCH', `/jobs/${second}`, { name: 'a' })).body.code).toBe('name_taken')
    await send('POST', `/jobs/${first}/archive`)
    expect((await send('PATCH', `/jobs/${second}`, { name: 'a' })).status).toBe(200)
    expect((await send('POST', `/jobs/${first}/resume`)).body.code).toBe('name_taken')
  })

  it('that is paused plans nothing, and goes on when it is resumed', async () => {
    const job = await newJob(send)
    const endpoint = await newEndpoint(send, job, { cron: '* * * * *' })
    await send('POST', `/jobs/${job}/pause`)
    expect((await send('GET', `/jobs/${job}`)).body.status).toBe('paused')
    expect((await send('GET', `/endpoints/${endpoint}`)).body.status).toBe('suspended')
    await api.clock.advanceBy(120_000)
    expect((await api.worker.claim()).claimed).toEqual([])
    await send('POST', `/jobs/${job}/resume`)
    await api.worker.claim()
    expect((await send('GET', `/endpoints/${endpoint}`)).body).toMatchObject({
      status: 'active',
      nextRunAt: '2026-03-01T02:35:00Z',
    })
    await api.clock.advanceBy(60_000)
    expect((await api.worker.claim()).claimed).toHaveLength(1)
  })

  it('wakes the workers when it is resumed', async () => {
    const job = await newJob(send)
    await newEndpoint(send, job, { cron: '* * * * *' })
    await send('POST', `/jobs/${job}/pause`)
    const woken: number[] = []
    api.store.signals.onWake((instant) => void woken.push(instant))
    await send('POST', `/jobs/${job}/resume`)
    expect(woken).toEqual([api.clock.now().getTime()])
  })

  it.each(['forbid', 'allow'])(
    'that is paused takes back what was claimed ahead of its time, with concurrency %s',
    async (concurrency) => {
      const job = await newJob(send)
      const endpoint = await newEndpoint(send, job, { cron: '* * * * *', concurrency })
      await api.clock.advanceTo(Date.parse('2026-03-01T02:32:58Z'))
      const claim = await api.worker.claim(5000)
      expect(claim.claimed).toHaveLength(1)
      await send('POST', `/jobs/${job}/pause`)
      const runs = (await send('GET', `/endpoints/${endpoint}/runs`)).body.items
      expect(runs).toMatchObject([{ status: 'cancelled', reason: 'paused' }])
      expect((await api.worker.end(claim)).answers).toEqual(['fenced'])
      await send('POST', `/jobs/${job}/resume`)
      await api.worker.claim()
      expect((await send('GET', `/endpoints/${endpoint}`)).body).toMatchObject({
        status: 'active',
        nextRunAt: '2026-03-01T02:34:00Z',
      })
    },
  )

  it('that is paused lets a run under way end as it may', async () => {
    const job = await newJob(send)
    const endpoint = await newEndpoint(send, job, { cron: '* * * * *' })
    await api.clock.advanceBy(60_000)
    const claim = await api.worker.claim()
    await send('POST', `/jobs/${job}/pause`)
    expect((await send('GET', `/endpoints/${endpoint}`)).body.status).toBe('running')
    expect((await api.worker.end(claim)).answers).toEqual(['recorded'])
    expect((await send('GET', `/endpoints/${endpoint}`)).body.status).toBe('suspended')
  })

  it('that is paused keeps what is made in it suspended', async () => {
    const job = await newJob(send)
    await send('POST', `/jobs/${job}/pause`)
    const endpoint = await newEndpoint(send, job)
    const { body } = await send('GET', `/endpoints/${endpoint}`)
    expect(body).toMatchObject({ status: 'suspended', nextRunAt: null })
  })

  it('that is archived can not be changed or added to, and comes back', async () => {
    const job = await newJob(send)
    expect((await send('POST', `/jobs/${job}/archive`)).body.status).toBe('archived')
    for (const [method, path, body] of [
      ['PATCH', `/jobs/${job}`, { name: 'x' }],
      ['POST', `/jobs/${job}/pause`, undefined],
      [
        'POST',
        `/jobs/${job}/endpoints`,
        { name: 'e', url: 'https://x.example', cron: '* * * * *' },
      ],
    ] as const) {
      const reply = await send(method, path, body)
      expect([reply.status, reply.body.code]).toEqual([409, 'job_archived'])
    }
    expect((await send('POST', `/jobs/${job}/resume`)).body.status).toBe('active')
  })

  it('that is deleted ends its runs, and their results come too late', async () => {
    const job = await newJob(send)
    await newEndpoint(send, job, { cron: '* * * * *' })
    const { body: asked } = await send('GET', '/endpoints')
    await api.clock.advanceBy(60_000)
    const claim = await api.worker.claim()
    expect(claim.claimed).toHaveLength(1)
    const aborted: unknown[] = []
    api.store.signals.onAbort((run) => void aborted.push(run))
    await send('DELETE', `/jobs/${job}`)
    expect(aborted).toHaveLength(1)
    expect((await api.worker.end(claim)).answers).toEqual(['fenced'])
    const runs = (await send('GET', `/runs?endpointId=${asked.items[0].id}`)).body.items
    expect(runs).toMatchObject([{ status: 'cancelled', reason: 'deleted' }])
    expect((await send('GET', '/quotas')).body.usage.endpoints).toBe(0)
  })

  it('leaves a trail of who changed what', async () => {
    const job = await newJob(send, 'a')
    await api.clock.advanceBy(1000)
    await send('PATCH', `/jobs/${job}`, { name: 'b' })
    await api.clock.advanceBy(1000)
    await send('POST', `/jobs/${job}/pause`)
    const { items } = (await send('GET', `/audit?subject=${job}`)).body
    expect(items).toMatchObject([
      { action: 'job.pause', before: { status: 'active' }, after: { status: 'paused' } },
      { action: 'job.update', before: { name: 'a' }, after: { name: 'b' } },
      { action: 'job.create', before: null, after: { name: 'a', status: 'active' } },
    ])
    for (const { actor } of items) expect(actor).toMatch(/^key:key_/)
  })
})

describe('an archived job', () => {
  onBothStores((api) => {
    const archive = () => api.send('POST', `/jobs/${api.job}/archive`)

    it('runs none of its endpoints, also when somebody asks for it', async () => {
      const id = await newEndpoint(api.send, api.job)
      const { body: run } = await api.send('POST', `/endpoints/${id}/run`)
      await api.worker.end(await api.worker.claim())
      await archive()
      for (const path of [`/endpoints/${id}/run`, `/runs/${run.id}/replay`]) {
        const reply = await api.send('POST', path)
        expect([reply.status, reply.body.code]).toEqual([409, 'job_archived'])
      }
      expect((await api.send('GET', `/runs?endpointId=${id}`)).body.items).toHaveLength(1)
      await api.send('POST', `/jobs/${api.job}/resume`)
      expect((await api.send('POST', `/endpoints/${id}/run`)).status).toBe(202)
    })

    it('takes back a run that was asked for before', async () => {
      const id = await newEndpoint(api.send, api.job)
      const { body: run } = await api.send('POST', `/endpoints/${id}/run`)
      await archive()
      expect((await api.send('GET', `/runs/${run.id}`)).body).toMatchObject({
        status: 'cancelled',
        reason: 'archived',
      })
      const { claimed } = await api.worker.claim()
      expect(claimed.filter(({ endpointId }) => endpointId === id)).toEqual([])
      await api.send('POST', `/jobs/${api.job}/resume`)
      expect((await api.send('POST', `/endpoints/${id}/run`)).status).toBe(202)
    })
  })
})
