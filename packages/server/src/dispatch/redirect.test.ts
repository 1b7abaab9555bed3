import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpTarget, type LocalTarget } from '../../testing/dispatch/local-target.js'
import {
  createAddressGuard,
  createDispatcher,
  type Dispatcher,
  type ExchangeRequest,
  type ExchangeResult,
  parseTarget,
  type Target,
} from './index.js'
import { redirectOf } from './redirect.js'
import { Stop } from './stop.js'

interface Seen {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let target: LocalTarget
let other: LocalTarget
let dispatcher: Dispatcher

/** `/to?<status>&<location>` redirects, `/down?<n>` does so n times, all else tells what it saw. */
beforeAll(async () => {
  const start = () =>
    httpTarget(async (incoming, response) => {
      const body = (await incoming.toArray()).join('')
      const [path, query = ''] = incoming.url!.split('?')
      const [status, location] = decodeURIComponent(query).split('&')
      if (path === '/to') {
        response.writeHead(Number(status), location === undefined ? {} : { location }).end('moved')
      } else if (path === '/down' && query !== '0') {
        response.writeHead(302, { location: `/down?${Number(query) - 1}` }).end()
      } else {
        const { method, headers } = incoming
        response.setHeader('X-Method', method!)
        response.end(JSON.stringify({ method, headers, body }))
      }
    })
  target = await start()
  other = await start()
  const addressGuard = createAddressGuard({ allow: ['127.0.0.1'] })
  dispatcher = createDispatcher({ addressGuard, now: Date.now })
})
afterAll(async () => {
  await dispatcher.close()
  await target.close()
  await other.close()
})

function send(path: string, rest: Partial<ExchangeRequest> = {}): Promise<ExchangeResult> {
  const request: ExchangeRequest = {
    tenantId: 'a tenant',
    method: 'POST',
    url: target.url + path,
    headers: {},
    body: 'payload',
    timeoutMs: 10_000,
    maxResponseBytes: 65_536,
    redirects: 'follow',
    ...rest,
  }
  return dispatcher.send(request, new Stop())
}

const to = (status: number, location: string): string =>
  `to?${encodeURIComponent(`${status}&${location}`)}`
const seen = ({ body }: ExchangeResult): Seen => JSON.parse(Buffer.from(body).toString())

it.each([300, 301, 302, 303, 304, 307, 308])('status %d is refused on demand', async (status) => {
  const result = await send(to(status, '/there'), { redirects: 'refuse' })
  expect(result).toMatchObject({
    status: 'failure',
    httpStatus: status,
    error: { code: 'redirect_refused' },
  })
  expect(result.headers['location']).toBe('/there')
})

it.each([
  ['POST', 301, 'GET', ''],
  ['POST', 302, 'GET', ''],
  ['POST', 303, 'GET', ''],
  ['POST', 307, 'POST', 'payload'],
  ['POST', 308, 'POST', 'payload'],
  ['PUT', 301, 'PUT', 'payload'],
  ['PUT', 302, 'PUT', 'payload'],
  ['PUT', 303, 'GET', ''],
  ['DELETE', 307, 'DELETE', 'payload'],
])('%s after %d becomes %s with body %j', async (method, status, next, body) => {
  const headers = { 'Content-Type': 'text/plain', 'X-Other': 'kept' }
  const result = await send(to(status, '/there'), { method, headers })
  expect(result).toMatchObject({ status: 'success', httpStatus: 200, error: null })
  expect(seen(result)).toMatchObject({ method: next, body })
  expect(seen(result).headers['content-type']).toBe(body === '' ? undefined : 'text/plain')
  expect(seen(result).headers['x-other']).toBe('kept')
})

it('HEAD stays HEAD after 303, and GET stays GET', async () => {
  for (const method of ['HEAD', 'GET']) {
    const result = await send(to(303, '/there'), { method, body: null })
    expect(result).toMatchObject({ status: 'success', headers: { 'x-method': method } })
  }
})

it('another origin is told neither credentials nor signature', async () => {
  const headers = {
    Authorization: 'Bearer secret',
    Cookie: 'session=secret',
    'X-Api-Key': 'secret',
    'webhook-id': 'run_1',
    'webhook-signature': 'v1,secret',
    'Content-Type': 'text/plain',
    'Idempotency-Key': 'run_1',
  }
  const away = seen(await send(to(307, `${other.url}there`), { headers }))
  expect(JSON.stringify(away)).not.toContain('secret')
  expect(away.headers).toMatchObject({
    host: `127.0.0.1:${other.port}`,
    'content-type': 'text/plain',
    'idempotency-key': 'run_1',
    'accept-encoding': 'identity',
    'user-agent': 'Kron',
  })
  expect(away.body).toBe('payload')
  const home = seen(await send(to(307, '/there'), { headers }))
  expect(home.headers).toMatchObject({ authorization: 'Bearer secret', 'x-api-key': 'secret' })
})

it('the same host and port without TLS are another origin', () => {
  const target = parseTarget('https://shop.test:8443/') as Target
  const headers = ['Authorization', 'Bearer secret', 'Accept', 'text/plain']
  const message = { target, method: 'GET', headers, body: null }
  const next = redirectOf(message, 307, 'http://shop.test:8443/')
  expect(next).toMatchObject({ headers: ['Accept', 'text/plain'] })
})

it('five redirects are followed and no more', async () => {
  expect(await send('down?5')).toMatchObject({ status: 'success' })
  expect(await send('down?6')).toMatchObject({
    status: 'failure',
    httpStatus: 302,
    error: { code: 'too_many_redirects' },
  })
})

it.each(['file:///etc/passwd', 'http://user:secret@127.0.0.1/', 'http://[', 'javascript:1'])(
  'a redirect to %s is refused',
  async (location) => {
    const result = await send(to(302, location))
    expect(result).toMatchObject({ status: 'failure', error: { code: 'redirect_refused' } })
    expect(result.error?.message).not.toContain('secret')
  },
)

it('a redirect to nowhere, and a status that is none, are failures as they stand', async () => {
  for (const path of ['to?302', to(304, '/there')]) {
    expect(await send(path)).toMatchObject({ status: 'failure', error: null })
  }
})

it('a redirect with a body beyond the limit is followed all the same', async () => {
  const result = await send(to(302, '/there'), { maxResponseBytes: 3 })
  expect(result).toMatchObject({ status: 'success', truncated: true })
  expect(Buffer.from(result.body).toString()).toBe('{"m')
})
