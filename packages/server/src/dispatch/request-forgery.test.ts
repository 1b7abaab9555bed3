import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { httpTarget, type LocalTarget, listen } from '../../testing/dispatch/local-target.js'
import { type NameServer, startNameServer } from '../../testing/dispatch/name-server.js'
import { never, request } from '../../testing/dispatch/sandbox.js'
import {
  createAddressGuard,
  createDispatcher,
  type Dispatcher,
  type ExchangeResult,
  type Resolver,
} from './index.js'

/**
 * `secret` listens where nobody may go, `open` on the same port of another address, the only one
 * that the operator's list names. The names are those of a DNS server of the test's own.
 */
let secret: LocalTarget
let open: LocalTarget
let names: NameServer
let zone: Record<string, () => readonly string[]>
let time = 0
let dispatcher: Dispatcher

beforeEach(async () => {
  secret = await httpTarget((_, response) => response.end('secret'))
  open = await listen(
    createServer((incoming, response) => {
      const location = decodeURIComponent(incoming.url!.slice(1))
      if (location === '') response.end('open')
      else response.writeHead(307, { location }).end()
    }),
    '127.0.0.2',
    secret.port,
  )
  zone = {}
  names = await startNameServer((name) => zone[name]?.() ?? [])
  dispatcher = dispatcherWith(names.resolve)
})
afterEach(async () => {
  await dispatcher.close()
  await names.close()
  await open.close()
  await secret.close()
})

const dispatcherWith = (resolve: Resolver, allow = [`127.0.0.2:${open.port}`]): Dispatcher =>
  createDispatcher({ addressGuard: createAddressGuard({ allow }), resolve, now: () => time })

const send = (url: string, sender = dispatcher): Promise<ExchangeResult> =>
  sender.send(request(url, { redirects: 'follow' }), never)

async function expectDenied(url: string): Promise<void> {
  const result = await send(url)
  expect(result).toMatchObject({
    status: 'failure',
    httpStatus: null,
    error: { code: 'address_denied' },
  })
  expect(result.headers).toEqual({})
  expect(result.body).toHaveLength(0)
  expect(secret.connections).toBe(0)
}

const loopbackHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '0x7f.1',
  '0x7f.0x0.0x0.0x1',
  '0X7F000001',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '127.0.0.01',
  '%31%32%37.0.0.1',
  '\uff11\uff12\uff17.0.0.1',
  '\u2460\u2461\u2466.\u24ea.\u24ea.\u2460',
  '127\u30020.0.1',
  '0.0.0.0',
  '0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
]

describe('a host that is an address', () => {
  it('is reached when the list names it', async () => {
    expect(await send(open.url)).toMatchObject({ status: 'success', httpStatus: 200 })
    expect(await send(`http://0x7f.2:${open.port}/`)).toMatchObject({ status: 'success' })
  })

  it.each(loopbackHosts)('is denied when it is %s', async (host) => {
    await expectDenied(`http://${host}:${secret.port}/`)
    await expectDenied(`https://${host}:${secret.port}/`)
    await expectDenied(`HTTP://${host}:${secret.port}\\path`)
  })

  const inAHeader = loopbackHosts.filter((host) => /^[ -~]+$/.test(host))
  it.each(inAHeader)('is denied when a redirect leads to %s', async (host) => {
    await expectDenied(`${open.url}${encodeURIComponent(`http://${host}:${secret.port}/`)}`)
    await expectDenied(`${open.url}${encodeURIComponent(`//${host}:${secret.port}/`)}`)
  })

  it('is denied on a port that the list does not name', async () => {
    await expectDenied(`http://127.0.0.2:${open.port === 9 ? 10 : 9}/`)
  })

  it('is denied when it has a zone', async () => {
    const { error } = await send(`http://[fe80::1%25lo]:${secret.port}/`)
    expect(['url_invalid', 'address_denied']).toContain(error?.code)
  })
})

describe('a host that is a name', () => {
  const url = (name: string): string => `http://${name}:${secret.port}/`

  it('is reached at the address that was checked', async () => {
    zone['good.test'] = () => ['127.0.0.2']
    expect(await send(url('good.test'))).toMatchObject({ status: 'success' })
    expect(await send(url('GOOD.test.'))).toMatchObject({ status: 'success' })
    expect(secret.connections).toBe(0)
  })

  it.each([
    ['loopback', ['127.0.0.1']],
    ['loopback by IPv6', ['::1']],
    ['IPv4-mapped loopback', ['::ffff:127.0.0.1']],
    ['nothing in particular', ['0.0.0.0']],
    ['a metadata service', ['169.254.169.254']],
    ['a private network', ['10.0.0.1']],
    ['a good and a bad address', ['127.0.0.2', '127.0.0.1']],
    ['a bad and a good address', ['127.0.0.1', '127.0.0.2']],
    ['a good address and a bad one by IPv6', ['127.0.0.2', '::1']],
    ['a bad address after many good ones', [...Array(20).fill('127.0.0.2'), '127.0.0.1']],
  ])('is denied when it resolves to %s', async (_, addresses) => {
    zone['bad.test'] = () => addresses
    await expectDenied(url('bad.test'))
    await expectDenied(`${open.url}${encodeURIComponent(url('bad.test'))}`)
    // The first hop of the redirect, and nothing by the name itself.
    expect(open.connections).toBe(1)
  })

  it('is denied without a word on where it leads', async () => {
    zone['intranet.test'] = () => ['10.20.30.40']
    const { error } = await send(url('intranet.test'))
    expect(error?.message).toContain('intranet.test')
    expect(error?.message).not.toContain('10.20')
  })

  it('is not looked up again between the check and the connection', async () => {
    let lookups = 0
    zone['rebinding.test'] = () => (++lookups === 1 ? ['127.0.0.2'] : ['127.0.0.1'])
    const result = await send(url('rebinding.test'))
    expect(Buffer.from(result.body).toString()).toBe('open')
    expect(secret.connections).toBe(0)
  })

  it('is checked again for each connection', async () => {
    let answer = ['127.0.0.2']
    zone['changing.test'] = () => answer
    expect(await send(url('changing.test'))).toMatchObject({ status: 'success' })
    answer = ['127.0.0.1']
    time += 5_000
    await expectDenied(url('changing.test'))
    answer = ['127.0.0.2']
    time += 5_000
    expect(await send(url('changing.test'))).toMatchObject({ status: 'success' })
  })

  it('is looked up once for many connections that are opened together', async () => {
    let lookups = 0
    const resolve: Resolver = (name) => {
      lookups++
      return names.resolve(name)
    }
    zone['good.test'] = () => ['127.0.0.2']
    const sender = dispatcherWith(resolve)
    const sent = Array.from({ length: 50 }, () => send(url('good.test'), sender))
    for (const result of await Promise.all(sent)) expect(result.status).toBe('success')
    expect(lookups).toBe(1)
    await sender.close()
  })

  it('is reached at another of its addresses when the first does not answer', async () => {
    zone['twice.test'] = () => ['127.0.0.3', '127.0.0.2']
    const sender = dispatcherWith(names.resolve, ['127.0.0.2', '127.0.0.3'])
    const result = await send(url('twice.test'), sender)
    expect(result).toMatchObject({ status: 'success', httpStatus: 200 })
    await sender.close()
  })
})

describe('the peer of a connection', () => {
  it.each(['http', 'https'])('is checked before a byte is sent by %s', async (scheme) => {
    // The system takes 0.0.0.0 for this machine: what was checked is not what answers.
    const sender = dispatcherWith(names.resolve, ['0.0.0.0'])
    const result = await send(`${scheme}://0.0.0.0:${secret.port}/`, sender)
    expect(result).toMatchObject({ status: 'failure', error: { code: 'address_denied' } })
    await sender.close()
    expect(secret.bytesRead).toBe(0)
  })

  it('must be an address that was checked, even among those allowed', async () => {
    const sender = dispatcherWith(names.resolve, ['0.0.0.0', '127.0.0.1'])
    const result = await send(`http://0.0.0.0:${secret.port}/`, sender)
    expect(result.error).toMatchObject({ code: 'address_denied' })
    expect(result.error?.message).toContain('not the one that was checked')
    await sender.close()
    expect(secret.bytesRead).toBe(0)
  })
})

it('proxies that the environment names are not used', async () => {
  const variables = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']
  for (const name of variables) process.env[name] = secret.url
  try {
    expect(await send(open.url)).toMatchObject({ status: 'success' })
    expect(secret.connections).toBe(0)
  } finally {
    for (const name of variables) delete process.env[name]
  }
})
