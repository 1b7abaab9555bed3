import { describe, expect, it } from 'vitest'
import { parseResolvConf, searchNames } from './resolv-conf.js'

describe('resolv.conf', () => {
  it('names servers, search domains and options', () => {
    const text = [
      '# made by the container runtime',
      'nameserver 10.96.0.10',
      'nameserver [2001:db8::1]:5353',
      'search shop.svc.cluster.local svc.cluster.local.',
      'options ndots:5 timeout:3 attempts:4 rotate',
    ].join('\n')
    expect(parseResolvConf(text)).toEqual({
      servers: ['10.96.0.10', '[2001:db8::1]:5353'],
      search: ['shop.svc.cluster.local', 'svc.cluster.local'],
      ndots: 5,
      timeoutMs: 3000,
      attempts: 4,
    })
  })

  it('is passed over where it makes no sense', () => {
    const text = 'nameserver example.org\noptions ndots timeout:soon attempts:-1\nhello'
    expect(parseResolvConf(text)).toEqual(parseResolvConf(''))
  })

  it('bounds what it asks for', () => {
    const text = `${'nameserver 192.0.2.1\n'.repeat(5)}options ndots:99 timeout:60 attempts:0`
    expect(parseResolvConf(text)).toMatchObject({ ndots: 15, timeoutMs: 5000, attempts: 1 })
    expect(parseResolvConf(text).servers).toHaveLength(3)
  })
})

describe('the names to ask for', () => {
  const service = parseResolvConf('search a.example b.example\noptions ndots:2')

  it.each([
    ['api', ['api.a.example', 'api.b.example', 'api']],
    ['api.shop', ['api.shop.a.example', 'api.shop.b.example', 'api.shop']],
    ['api.shop.test', ['api.shop.test', 'api.shop.test.a.example', 'api.shop.test.b.example']],
    ['api.', ['api']],
  ])('of %s are %j', (hostname, names) => {
    expect(searchNames(hostname, service)).toEqual(names)
  })
})
