import { ConfigurationError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AddressGuardOptions, createAddressGuard } from './index.js'

const verdictOf = (address: string, port = 80, options: AddressGuardOptions = {}): string => {
  const verdict = createAddressGuard(options).check(address, port)
  return verdict.allowed ? 'allowed' : verdict.reason
}

describe('the verdicts of Smokescreen, a proxy for the same purpose', () => {
  const options = {
    allow: [
      '8.8.9.0/24',
      '10.0.1.0/24',
      '172.16.1.0/24',
      '192.168.1.0/24',
      '127.0.1.0/24',
      '10.0.0.1:321',
    ],
    deny: ['1.1.1.1', '8.8.8.8:321', '127.0.0.1:4750', '192.168.1.100:4750', '[::1]:4750'],
  }
  it.each<[address: string, port: number, verdict: string]>([
    ['8.8.8.8', 1, 'allowed'],
    ['8.8.9.8', 1, 'allowed'],
    ['10.0.0.1', 1, 'private'],
    ['10.0.0.1', 321, 'allowed'],
    ['10.0.1.1', 1, 'allowed'],
    ['172.16.0.1', 1, 'private'],
    ['172.16.1.1', 1, 'allowed'],
    ['192.168.0.1', 1, 'private'],
    ['192.168.1.1', 1, 'allowed'],
    ['100.64.0.1', 1, 'carrier-grade NAT'],
    ['100.64.0.100', 1, 'carrier-grade NAT'],
    ['100.127.255.254', 1, 'carrier-grade NAT'],
    ['100.63.255.254', 1, 'allowed'],
    ['100.128.0.1', 1, 'allowed'],
    ['8.8.8.8', 321, 'deny list'],
    ['1.1.1.1', 1, 'deny list'],
    ['127.0.0.1', 1, 'loopback'],
    ['127.255.255.255', 1, 'loopback'],
    ['::1', 1, 'loopback'],
    ['127.0.1.1', 1, 'allowed'],
    ['169.254.169.254', 1, 'link-local'],
    ['255.255.255.255', 1, 'broadcast'],
    ['ff02:0:0:0:0:0:0:2', 1, 'multicast'],
    ['64:ff9b::ac1c:5', 1, 'NAT64'],
    ['64:ff9b::c000:201', 1, 'NAT64'],
    ['64:ff9b::a00:1', 1, 'NAT64'],
    ['64:ff9b::808:808', 1, 'NAT64'],
    ['64:ff9b::ffff:ffff', 1, 'NAT64'],
    ['2002:c000:201::1', 1, '6to4'],
    ['2002:a00:1::1', 1, '6to4'],
    ['2002:808:808::1', 1, '6to4'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 1, 'Teredo'],
    ['2001:0:1234:5678:9abc:def0:1234:5678', 1, 'Teredo'],
    ['2001:4860:4860::8888', 1, 'allowed'],
    ['2606:4700:4700::1111', 1, 'allowed'],
    ['64:ff9c::1', 1, 'allowed'],
    ['127.0.0.1', 4750, 'deny list'],
    ['192.168.1.100', 4750, 'deny list'],
    ['::1', 4750, 'deny list'],
    ['127.0.0.1', 8080, 'loopback'],
    ['8.8.8.8', 4750, 'allowed'],
  ])('%s port %d: %s', (address, port, verdict) => {
    expect(verdictOf(address, port, options)).toBe(verdict)
  })
})

describe('without lists, the guard', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['168.63.129.16', 'cloud metadata'],
    ['100.100.100.200', 'carrier-grade NAT'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'IETF protocol assignments'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.7', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['::', 'unspecified'],
    ['::ffff:8.8.8.8', 'IPv4-mapped'],
    ['::ffff:7f00:1', 'IPv4-mapped'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['0:0:0:1::1', 'reserved'],
    ['64:ff9b:1::a00:1', 'NAT64'],
    ['64:ff9b:2::1', 'reserved'],
    ['1::1', 'reserved'],
    ['64::1', 'reserved'],
    ['64:ff9a::7f00:1', 'reserved'],
    ['64:ff9d::1', 'reserved'],
    ['ff::1', 'reserved'],
    ['100::1', 'discard-only'],
    ['100:0:0:1::1', 'reserved'],
    ['200::1', 'reserved'],
    ['1fff::1', 'reserved'],
    ['2001:2::1', 'benchmarking'],
    ['2001:10::1', 'ORCHID'],
    ['2001:2f::1', 'ORCHID'],
    ['2001:1ff::1', 'IETF protocol assignments'],
    ['2001:db8::1', 'documentation'],
    ['3ffe::1', 'reserved'],
    ['3fff:fff::1', 'documentation'],
    ['5f00::1', 'segment routing'],
    ['4000::1', 'reserved'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'unique local'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff0e::1', 'multicast'],
    ['8000::1', 'reserved'],
  ])('denies %s: %s', (address, reason) => {
    expect(verdictOf(address)).toBe(reason)
  })

  it.each([
    '1.0.0.1',
    '9.255.255.255',
    '11.0.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2003::1',
    '2a00:1450::1',
    '3fff:1000::1',
  ])('allows %s', (address) => {
    expect(verdictOf(address)).toBe('allowed')
  })

  it('denies of IPv6 all that lies outside of the space that is given out', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const outside = group.filter((first) => first >> 13 !== 1 && first !== 0x64)
    fc.assert(
      fc.property(outside, fc.array(group, { minLength: 7, maxLength: 7 }), (first, others) => {
        const address = [first, ...others].map((each) => each.toString(16)).join(':')
        expect(verdictOf(address)).not.toBe('allowed')
      }),
      { numRuns: 2_000, seed: 5 },
    )
  })

  it.each([
    '',
    'localhost',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    '8.8.8.8.',
    ' 8.8.8.8',
    '8.8.8.8:80',
    '[2606:4700::1]',
    'fe80::1%eth0',
    '2606:4700::1%1',
    '8.8.8.8/32',
  ])('denies %j, which is no plain address', (address) => {
    expect(verdictOf(address)).toBe('not an IP address')
  })

  it.each([0, -1, 65_536, 1.5, Number.NaN])('denies port %d', (port) => {
    expect(verdictOf('8.8.8.8', port)).toBe('not a port')
  })

  it('denies a private address behind every form that can hold it', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(fc.constantFrom(10, 127), byte, byte, byte, (a, b, c, d) => {
        const four = `${a}.${b}.${c}.${d}`
        const hex = (high: number, low: number) => ((high << 8) | low).toString(16)
        const forms = [
          four,
          `::${four}`,
          `::ffff:${four}`,
          `::FFFF:${four}`,
          `0:0:0:0:0:ffff:${hex(a, b)}:${hex(c, d)}`,
          `::ffff:0:${four}`,
          `64:ff9b::${four}`,
          `2002:${hex(a, b)}:${hex(c, d)}::1`,
        ]
        const options = { allow: ['::/0'] }
        for (const form of forms) {
          expect(verdictOf(form)).not.toBe('allowed')
          if (form !== four && a === 10) expect(verdictOf(form, 80, options)).toBe('private')
        }
      }),
      { numRuns: 200, seed: 7 },
    )
  })
})

describe('lists', () => {
  it('allow what they name, and nothing beside it', () => {
    const allow = ['10.0.1.0/24', '127.0.0.1:8080', 'fd00::/8', '[::1]:9000']
    expect(verdictOf('10.0.1.255', 80, { allow })).toBe('allowed')
    expect(verdictOf('10.0.2.0', 80, { allow })).toBe('private')
    expect(verdictOf('127.0.0.1', 8080, { allow })).toBe('allowed')
    expect(verdictOf('127.0.0.1', 8081, { allow })).toBe('loopback')
    expect(verdictOf('127.0.0.2', 8080, { allow })).toBe('loopback')
    expect(verdictOf('fdff::1', 80, { allow })).toBe('allowed')
    expect(verdictOf('fc00::1', 80, { allow })).toBe('unique local')
    expect(verdictOf('::1', 9000, { allow })).toBe('allowed')
    expect(verdictOf('::1', 9001, { allow })).toBe('loopback')
  })

  it('split blocks at any bit', () => {
    const allow = ['10.128.0.0/9', '172.16.0.0/31', 'fc00::/7']
    expect(verdictOf('10.127.255.255', 80, { allow })).toBe('private')
    expect(verdictOf('10.128.0.0', 80, { allow })).toBe('allowed')
    expect(verdictOf('172.16.0.1', 80, { allow })).toBe('allowed')
    expect(verdictOf('172.16.0.2', 80, { allow })).toBe('private')
    expect(verdictOf('fc00::1', 80, { allow })).toBe('allowed')
  })

  it('that deny win over lists that allow', () => {
    const lists = { allow: ['10.0.0.0/8'], deny: ['10.1.0.0/16'] }
    expect(verdictOf('10.0.0.1', 80, lists)).toBe('allowed')
    expect(verdictOf('10.1.0.1', 80, lists)).toBe('deny list')
  })

  it('with an IPv4 address do not allow its IPv4-mapped form, but do deny it', () => {
    expect(verdictOf('::ffff:10.0.0.1', 80, { allow: ['10.0.0.1'] })).toBe('IPv4-mapped')
    const mapped = ['::ffff:0:0/96']
    expect(verdictOf('::ffff:8.8.8.8', 80, { allow: mapped })).toBe('allowed')
    expect(verdictOf('::ffff:8.8.8.8', 80, { allow: mapped, deny: ['8.8.8.8'] })).toBe('deny list')
  })

  it('with an IPv4 address deny its IPv4-mapped form even where that is allowed by name', () => {
    const lists = { allow: ['::ffff:8.8.8.8'], deny: ['8.8.8.8'] }
    expect(verdictOf('::ffff:8.8.8.8', 80, lists)).toBe('deny list')
  })

  it('with one IPv4-mapped host allow that host', () => {
    const allow = ['::ffff:10.0.0.1']
    expect(verdictOf('::ffff:10.0.0.1', 80, { allow })).toBe('allowed')
    expect(verdictOf('::ffff:10.0.0.2', 80, { allow })).toBe('IPv4-mapped')
    expect(verdictOf('10.0.0.1', 80, { allow })).toBe('private')
  })

  it('that open NAT64 leave what is behind it to be judged', () => {
    const allow = ['64:ff9b::/96']
    expect(verdictOf('64:ff9b::8.8.8.8', 80, { allow })).toBe('allowed')
    expect(verdictOf('64:ff9b::169.254.169.254', 80, { allow })).toBe('link-local')
    expect(verdictOf('64:ff9b::10.0.0.1', 80, { allow: [...allow, '10.0.0.1'] })).toBe('allowed')
  })

  it('that open a part of NAT64 leave what is behind it to be judged as well', () => {
    const allow = ['64:ff9b::/97', '64:ff9b::10.0.0.0/127']
    expect(verdictOf('64:ff9b::127.0.0.1', 80, { allow })).toBe('loopback')
    expect(verdictOf('64:ff9b::10.0.0.1', 80, { allow })).toBe('private')
    expect(verdictOf('64:ff9b::8.8.8.8', 80, { allow })).toBe('allowed')
    expect(verdictOf('64:ff9b::10.0.0.1', 80, { allow: ['64:ff9b::10.0.0.1'] })).toBe('allowed')
  })

  it('that name a host of 6to4 by its whole prefix allow that host', () => {
    const allow = ['2002:a00:1::/48']
    expect(verdictOf('2002:a00:1::7', 80, { allow })).toBe('allowed')
    expect(verdictOf('2002:a00:1::7', 80, { allow: ['2002:a00::/47'] })).toBe('private')
    expect(verdictOf('2002:808:808::7', 80, { allow: ['2002::/16'] })).toBe('allowed')
  })

  describe('that open the NAT64 of a network', () => {
    const allow = ['64:ff9b:1::/48']

    it.each([
      ['64:ff9b:1::169.254.169.254', 'link-local'],
      ['64:ff9b:1:a9fe:a9:fe00::', 'link-local'],
      ['64:ff9b:1:a9:fe:a9fe::', 'link-local'],
      ['64:ff9b:1:0:a9:fea9:fe00::', 'link-local'],
      ['64:ff9b:1:7f00:0:100:808:808', 'loopback'],
      ['64:ff9b:1::', 'unspecified'],
      ['64:ff9b:1::8.8.8.8', 'allowed'],
      ['64:ff9b:1:808:8:800::', 'allowed'],
    ])('judge %s by the host it may lead to, wherever that lies: %s', (address, verdict) => {
      expect(verdictOf(address, 80, { allow })).toBe(verdict)
    })

    it('take the last 32 bits where they name all that is before them', () => {
      const address = '64:ff9b:1:fffe::8.8.8.8'
      expect(verdictOf(address, 80, { allow })).toBe('reserved')
      const named = { allow: ['64:ff9b:1:fffe::/96'] }
      expect(verdictOf(address, 80, named)).toBe('allowed')
      expect(verdictOf('64:ff9b:1:fffe::10.0.0.1', 80, named)).toBe('private')
    })

    it('leave out what is denied behind it', () => {
      const lists = { allow, deny: ['8.8.8.8'] }
      for (const form of ['808:8:800::', '8:8:808::', '0:8:808:800::', ':8.8.8.8']) {
        expect(verdictOf(`64:ff9b:1:${form}`, 80, lists)).toBe('deny list')
      }
    })
  })

  it.each(['10.0.0.5/8', '10.0.0.1/31', '10.128.0.0/8:80', 'fd00::1/8', '[fd00::/7]:80', '1::/0'])(
    'can not hold %j, which may be meant as one host',
    (entry) => {
      expect(() => createAddressGuard({ allow: [entry] })).toThrow(
        `allow must hold blocks by their first address, and single hosts without a prefix length, ` +
          `got "${entry}"`,
      )
    },
  )

  it.each([
    '',
    'localhost',
    'example.com:80',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0/8',
    '10.0.0.1/8/8',
    '10.0.0.1:0',
    '10.0.0.1:65536',
    '10.0.0.1:',
    '[10.0.0.1]:80',
    '[::1',
    '::1]:80',
    'fe80::1%eth0',
    '0x7f.1',
  ])('can not hold %j', (entry) => {
    expect(() => createAddressGuard({ allow: [entry] })).toThrow(ConfigurationError)
    expect(() => createAddressGuard({ allow: [], deny: [entry] })).toThrow(/^deny must hold/)
  })
})
