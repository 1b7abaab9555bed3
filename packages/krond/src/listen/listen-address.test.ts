import { networkInterfaces } from 'node:os'
import { ConfigurationError } from '@kron/core'
import type { Listener } from '@kron/runtime/listen'
import { afterEach, describe, expect, it } from 'vitest'
import { shown } from '../../testing/listen/example-view.js'
import { ask } from '../../testing/listen/http-client.js'
import { listen } from './routes.js'

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)
if (!hasIpv6) console.warn('not tested: this machine has no IPv6 loopback')

const open: Listener[] = []

afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close()
})

async function listening(address = '127.0.0.1:0', what = shown): Promise<Listener> {
  const listener = await listen(address, what)
  open.push(listener)
  return listener
}

describe('an address', () => {
  it.each([
    ':9180',
    '9180',
    'localhost',
    '127.0.0.1',
    '127.0.0.1:65536',
    '127.0.0.1:http',
    '300.0.0.1:80',
    '::1:9180',
    '[127.0.0.1]:80',
    '[]:80',
    'http://localhost:80',
    'a_b:80',
    'unix:',
    'unix:relative.sock',
    '',
    null as never,
  ])('%j is refused', async (address) => {
    await expect(listen(address, shown)).rejects.toThrow(ConfigurationError)
    await expect(listen(address, shown)).rejects.toThrow(/--listen must be/)
  })

  it('that is taken is refused with the reason', async () => {
    const { address } = await listening()
    await expect(listen(address, shown)).rejects.toMatchObject({
      code: 'KRON_SYSTEM',
      message: `can't listen on ${address}: another process listens there (EADDRINUSE)`,
    })
  })

  it.skipIf(!hasIpv6)('of IPv6 is in brackets', async () => {
    const listener = await listening('[::1]:0')
    expect(listener.address).toMatch(/^\[::1\]:\d+$/)
    expect((await ask(listener, '/jobs')).status).toBe(200)
  })
})

describe('the Host header', () => {
  it.each([
    ['localhost', 200],
    ['LOCALHOST:80', 200],
    ['127.0.0.1:9180', 200],
    ['127.8.8.8', 200],
    ['[::1]:9180', 200],
    ['attacker.example', 403],
    ['localhost.attacker.example', 403],
    ['127.0.0.1.nip.example:80', 403],
    ['10.0.0.1', 403],
    ['[::2]', 403],
    ['::1', 403],
    ['user@localhost', 403],
  ])('%s gets %d from a listener on loopback', async (host, expected) => {
    const { status } = await ask(await listening(), '/jobs', { headers: { host } })
    expect(status).toBe(expected)
  })

  it('may be any where the listener is meant for others', async () => {
    const listener = await listening('0.0.0.0:0')
    const local = { ...listener, address: listener.address.replace('0.0.0.0', '127.0.0.1') }
    const { status } = await ask(local, '/jobs', { headers: { host: 'krond.example' } })
    expect(status).toBe(200)
  })
})
