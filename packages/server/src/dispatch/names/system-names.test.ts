import { afterEach, describe, expect, it } from 'vitest'
import {
  type Machine,
  type NameServer,
  silent,
  startNameServer,
  type Zone,
} from '../../../testing/dispatch/name-server.js'

let server: NameServer

afterEach(() => server.close())

async function machine(zone: Readonly<Record<string, ReturnType<Zone>>>, rest: Machine = {}) {
  server = await startNameServer((name) => zone[name] ?? 'no such name', rest)
  return async (hostname: string): Promise<readonly string[]> =>
    (await server.resolve(hostname)).map(({ address }) => address).toSorted()
}

it('knows both families of a name', async () => {
  const addresses = await machine({ 'a.test': ['192.0.2.1', '2001:db8::1'] })
  expect(await addresses('a.test')).toEqual(['192.0.2.1', '2001:db8::1'])
})

it('takes the names of the hosts file, whatever their case, and asks nobody', async () => {
  const hosts = '# these\n192.0.2.7 Shop.test shop # and here\n2001:db8::7\tshop\nnonsense shop\n'
  const addresses = await machine({}, { hosts })
  expect(await addresses('shop')).toEqual(['192.0.2.7', '2001:db8::7'])
  expect(await addresses('SHOP.test.')).toEqual(['192.0.2.7'])
  expect(server.asked).toEqual([])
})

it('knows localhost without a file, and lets a file say otherwise', async () => {
  const addresses = await machine({}, { hosts: '127.0.0.9 named.localhost' })
  expect(await addresses('localhost')).toEqual(['127.0.0.1', '::1'])
  expect(await addresses('any.localhost')).toEqual(['127.0.0.1', '::1'])
  expect(await addresses('named.localhost')).toEqual(['127.0.0.9'])
  expect(server.asked).toEqual([])
})

describe('search domains', () => {
  const options = 'search shop.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5'

  it('complete names as in Kubernetes', async () => {
    const zone = {
      'api.shop.svc.cluster.local': ['192.0.2.1'],
      'api.other.svc.cluster.local': ['192.0.2.2'],
      'www.test': ['192.0.2.3'],
    }
    const addresses = await machine(zone, { options })
    expect(await addresses('api')).toEqual(['192.0.2.1'])
    expect(await addresses('api.other')).toEqual(['192.0.2.2'])
    expect(await addresses('www.test')).toEqual(['192.0.2.3'])
    await expect(addresses('api.')).rejects.toThrow('there is no such name')
  })

  it('come after the name itself where it has enough dots', async () => {
    const zone = {
      'a.test': ['192.0.2.1'],
      'a.test.inner': ['192.0.2.2'],
      'b.test.inner': ['192.0.2.3'],
    }
    const addresses = await machine(zone, { options: 'domain other\nsearch inner.' })
    expect(await addresses('a.test')).toEqual(['192.0.2.1'])
    expect(await addresses('b.test')).toEqual(['192.0.2.3'])
  })

  it('are not searched any further when a server is silent', async () => {
    const zone = { 'api.inner': silent, api: ['192.0.2.1'] } as const
    const addresses = await machine(zone, { options: 'search inner\noptions timeout:1 attempts:1' })
    await expect(addresses('api')).rejects.toThrow('the name server does not answer')
    expect(server.asked).not.toContain('api')
  })
})

it('one family that is not answered does not hide the other', async () => {
  server = await startNameServer(() => ['192.0.2.1'])
  expect(await server.resolve('a.test')).toEqual([
    { address: '192.0.2.1', family: 4, ttlSeconds: 0 },
  ])
})

it('tells a name without addresses from one that does not exist', async () => {
  const addresses = await machine({ 'empty.test': [] })
  await expect(addresses('empty.test')).rejects.toThrow('it has no address')
  await expect(addresses('none.test')).rejects.toThrow('there is no such name')
})
