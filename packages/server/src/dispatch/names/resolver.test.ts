import { expect, it } from 'vitest'
import { inTurns } from './resolver.js'

const found = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1'].map((address) => ({
  address,
  family: address.includes(':') ? 6 : 4,
}))
const order = (hasIpv6: boolean): readonly string[] =>
  inTurns(found, hasIpv6).map(({ address }) => address)

it('families take turns, beginning with the one that this machine can use', () => {
  expect(order(false)).toEqual(['192.0.2.1', '2001:db8::1', '192.0.2.2', '192.0.2.3'])
  expect(order(true)).toEqual(['2001:db8::1', '192.0.2.1', '192.0.2.2', '192.0.2.3'])
})
