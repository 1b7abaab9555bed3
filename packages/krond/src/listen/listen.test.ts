import { connect, type Socket } from 'node:net'
import { compileJob, parseSchedule } from '@kron/core'
import type { Listener } from '@kron/runtime/listen'
import { afterEach, describe, expect, it } from 'vitest'
import { jobs, secret, shown, state, view } from '../../testing/listen/example-view.js'
import { ask } from '../../testing/listen/http-client.js'
import { listen } from './routes.js'

const open: Listener[] = []

afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close()
})

async function listening(address = '127.0.0.1:0', what = shown): Promise<Listener> {
  const listener = await listen(address, what)
  open.push(listener)
  return listener
}

const json = async (path: string): Promise<{ status: number; value: never }> => {
  const { status, body } = await ask(await listening(), path)
  return { status, value: JSON.parse(body) as never }
}

describe('a listener', () => {
  it('shows metrics for Prometheus', async () => {
    const { status, headers, body } = await ask(await listening(), '/metrics')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(body).toContain('# TYPE krond_starts_total counter\nkrond_starts_total 7\n')
  })

  it('says whether the loop turns and whether it is ready', async () => {
    const listener = await listening()
    const statuses = async () => [
      (await ask(listener, '/healthz')).status,
      (await ask(listener, '/readyz')).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    Object.assign(view, { ready: false })
    expect(await statuses()).toEqual([200, 503])
    Object.assign(view, { ready: true })
    state.healthy = false
    expect(await statuses()).toEqual([503, 200])
    state.healthy = true
  })

  it('is not healthy while its log is not written, and says why', async () => {
    state.logTrouble = 'ENOSPC'
    const { status, value } = await json('/healthz')
    state.logTrouble = null
    expect([status, value]).toEqual([
      503,
      { healthy: false, reason: 'the log is not written: ENOSPC' },
    ])
  })

  it('lists jobs by identity with what was and what comes', async () => {
    const { status, value } = await json('/jobs')
    expect(status).toBe(200)
    const listed = value as { jobs: Record<string, unknown>[]; next: string | null }
    expect(listed.next).toBeNull()
    expect(listed.jobs.map(({ identity }) => identity)).toEqual([
      '/etc/krond.d/a:alpha',
      '/etc/krond.d/a:mid/dle',
      '/etc/krond.d/a:zeta',
      '/etc/krond.d/b:alpha',
    ])
    const time = expect.stringMatching(/^2026-03-0\dT\d\d:\d\d:\d\dZ$/)
    expect(listed.jobs[2]).toEqual({
      identity: '/etc/krond.d/a:zeta',
      name: 'zeta',
      schedule: '0 2 * * * @tz(Europe/Paris) @win(after,2h)',
      timezone: 'Europe/Paris',
      phase: 'waiting',
      responsible_since: '2026-02-28T12:00:00Z',
      next: {
        period_id: '2026-03-02T01:00:00Z',
        nominal_time: '2026-03-02T01:00:00Z',
        chosen_time: time,
      },
      last: { period_id: '2026-03-01T01:00:00Z', outcome: 'executed', chosen_time: time },
      running: [
        { period_id: '2026-03-01T01:00:00Z', chosen_time: time, started_at: time, pid: 71 },
      ],
    })
  })

  it('shows the next run however many periods without one come before', async () => {
    const schedule = parseSchedule('* * * * * @only(dow=MON;hours=9-17)')
    const job = compileJob({ ...schedule, identity: 'rare' })
    const planned = job.decide(Date.parse('2026-03-03T18:00:00Z'))
    const rare = { ...jobs[0]!, hostJob: { ...jobs[0]!.hostJob, job }, planned }
    const what = { ...shown, view: { ...view, jobs: () => [rare] } }
    const { body } = await ask(await listening('127.0.0.1:0', what), '/jobs')
    expect(JSON.parse(body).jobs).toMatchObject([{ next: { period_id: '2026-03-09T09:00:00Z' } }])
  })

  it('pages through all jobs, whatever the size of a page', async () => {
    const listener = await listening()
    for (const limit of [1, 2, 3, 4, 5]) {
      const identities: string[] = []
      let after: string | null = ''
      while (after !== null) {
        const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
        const page = JSON.parse((await ask(listener, `/jobs?limit=${limit}${cursor}`)).body)
        expect(page.jobs.length).toBeLessThanOrEqual(limit)
        identities.push(...page.jobs.map((job: { identity: string }) => job.identity))
        after = page.next
      }
      expect(identities).toEqual(jobs.map(({ hostJob }) => hostJob.identity).sort())
    }
    expect((await ask(listener, '/jobs?limit=1000')).status).toBe(200)
    const named = JSON.parse((await ask(listener, '/jobs?name=alpha')).body)
    expect(named.jobs).toHaveLength(2)
  })

  it('shows one job with its history, newest first', async () => {
    for (const wanted of ['zeta', '/etc/krond.d/a:zeta', 'mid/dle']) {
      const { status, value } = await json(`/jobs/${encodeURIComponent(wanted)}`)
      expect(status).toBe(200)
      expect(value).toMatchObject({
        name: wanted.replace('/etc/krond.d/a:', ''),
        history: [
          { period_id: '2026-03-01T01:00:00Z', outcome: 'executed', exit_code: 3 },
          { period_id: '2026-02-28T01:00:00Z', outcome: 'missed', exit_code: null },
        ],
      })
    }
  })

  it('explains how a time is chosen, now or at another time', async () => {
    const current = await json('/jobs/zeta/explain')
    expect(current.value).toMatchObject({
      job: 'zeta',
      identity: '/etc/krond.d/a:zeta',
      at: '2026-03-01T12:00:00Z',
      period: '2026-03-01T01:00:00Z',
    })
    const { status, value } = await json('/jobs/zeta/explain?at=2026-07-01T12:00:00Z')
    expect(status).toBe(200)
    expect(value).toMatchObject({ period: '2026-07-01T00:00:00Z', unschedulable: false })
  })

  it('has a page that lists what there is, with nothing from elsewhere', async () => {
    const { status, headers, body } = await ask(await listening(), '/')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    for (const path of ['/jobs', '/metrics', '/healthz', '/readyz']) expect(body).toContain(path)
    expect(body).not.toMatch(/<script|https?:|src=/)
  })

  it('never shows commands, environment or folders of a job', async () => {
    const listener = await listening()
    for (const path of ['/', '/jobs', '/jobs/zeta', '/jobs/zeta/explain', '/metrics']) {
      const { status, body } = await ask(listener, path)
      expect(status).toBe(200)
      expect(body).not.toContain(secret)
    }
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const listener = await listening()
    const get = await ask(listener, '/jobs')
    const head = await ask(listener, '/jobs', { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it.each([
    ['/nothing', 404, 'KRON_REQUEST_INVALID'],
    ['/jobs/', 404, 'KRON_REQUEST_INVALID'],
    ['/jobs/zeta/explain/more', 404, 'KRON_REQUEST_INVALID'],
    ['/jobs/zeta/history', 404, 'KRON_REQUEST_INVALID'],
    ['/__proto__', 404, 'KRON_REQUEST_INVALID'],
    ['/constructor', 404, 'KRON_REQUEST_INVALID'],
    ['/jobs/absent', 404, 'KRON_JOB_UNKNOWN'],
    ['/jobs/alpha', 404, 'KRON_JOB_UNKNOWN'],
    ['/jobs/absent/explain', 404, 'KRON_JOB_UNKNOWN'],
    ['/jobs/%ff', 400, 'KRON_REQUEST_INVALID'],
    ['/jobs?limit=0', 400, 'KRON_REQUEST_INVALID'],
    ['/jobs?limit=1001', 400, 'KRON_REQUEST_INVALID'],
    ['/jobs?limit=many', 400, 'KRON_REQUEST_INVALID'],
    ['/jobs?limit=1&limit=2', 400, 'KRON_REQUEST_INVALID'],
    ['/jobs?sort=name', 400, 'KRON_REQUEST_INVALID'],
    ['/jobs/zeta?x=1', 400, 'KRON_REQUEST_INVALID'],
    ['/jobs/zeta/explain?at=noon', 400, 'KRON_REQUEST_INVALID'],
    ['http://localhost/jobs', 400, 'KRON_REQUEST_INVALID'],
  ])('answers %s with %d and a code', async (path, expected, code) => {
    const { status, value } = await json(path)
    expect(status).toBe(expected)
    expect(value).toEqual({ error: { code, message: expect.any(String) } })
  })

  it('only answers GET and HEAD, and does not read what is sent along', async () => {
    const listener = await listening()
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const { status, headers } = await ask(listener, '/jobs', { method, body: 'x' })
      expect(status).toBe(405)
      expect(headers).toMatchObject({ allow: 'GET, HEAD', connection: 'close' })
    }
    expect((await ask(listener, '/jobs', { body: '{"limit":1}' })).status).toBe(200)
  })

  it('answers a failure of its own with 500 and nothing else', async () => {
    const broken = { ...shown, healthy: () => JSON.parse(secret) }
    const { status, body } = await ask(await listening('127.0.0.1:0', broken), '/healthz')
    expect(status).toBe(500)
    expect(JSON.parse(body)).toEqual({
      error: { code: 'KRON_INVARIANT', message: 'internal error' },
    })
  })
})

describe('a client that behaves badly', () => {
  const connected = async ({ address }: Listener): Promise<Socket> => {
    const socket = connect(Number(address.split(':')[1]), '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    return socket
  }
  const received = async (socket: Socket): Promise<string> => {
    let text = ''
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.once('close', resolve))
    return text
  }

  it('gets no more than an error for nonsense and for headers without end', async () => {
    const listener = await listening()
    const nonsense = await connected(listener)
    nonsense.write('nonsense\r\n\r\n')
    expect(await received(nonsense)).toMatch(/^HTTP\/1.1 400 /)
    const long = await connected(listener)
    long.write(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(10_000)}\r\n\r\n`)
    expect(await received(long)).toMatch(/^(HTTP\/1.1 431 |$)/)
    expect((await ask(listener, '/readyz')).status).toBe(200)
  })

  it('is cut off when it sends what nobody reads', async () => {
    const sending = await connected(await listening())
    sending.write('POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n')
    expect(await received(sending)).toMatch(/^HTTP\/1.1 405 .*\r\nconnection: close\r\n/is)
  })

  it('gets no more than 64 connections, and all are ended with the listener', async () => {
    const listener = await listening()
    const sockets: Socket[] = []
    for (let count = 0; count < 64; count++) sockets.push(await connected(listener))
    const ends = sockets.map(received)
    const refused = await connected(listener)
    expect(await received(refused)).toBe('')
    sockets[0]!.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect(await ends[0]).toMatch(/^HTTP\/1.1 200 /)
    sockets[1]!.write('GET /readyz HTTP/1.1\r\nHost: loc')
    await listener.close()
    await listener.close()
    expect(await Promise.all(ends.slice(1))).toEqual(Array(63).fill(''))
  })
})
