import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inRange, parseAddress, parseRange, sameAddress } from './address.js'

it.each([
  ['127.0.0.1', '7f000001'],
  ['::', '00000000000000000000000000000000'],
  ['::1', '00000000000000000000000000000001'],
  ['1::', '00010000000000000000000000000000'],
  ['2001:DB8::A:1', '20010db80000000000000000000a0001'],
  ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ['1:2:3:4:5:6:7::', '00010002000300040005000600070000'],
  ['::127.0.0.1', '0000000000000000000000007f000001'],
  ['::ffff:127.0.0.1', '00000000000000000000ffff7f000001'],
  ['64:ff9b::1.2.3.4', '0064ff9b000000000000000001020304'],
  ['1:2:3:4:5:6:1.2.3.4', '00010002000300040005000601020304'],
])('reads %s', (text, bytes) => {
  expect(Buffer.from(parseAddress(text)!).toString('hex')).toBe(bytes)
})

it('knows an address in any spelling', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1)
      expect(sameAddress(parseAddress(text)!, parseAddress(canonical)!)).toBe(true)
    }),
    { numRuns: 500, seed: 11 },
  )
})

it('finds an address in a block exactly when their first bits agree', () => {
  const bits = (address: readonly number[]) =>
    address.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const byte = fc.integer({ min: 0, max: 255 })
  const four = fc.tuple(byte, byte, byte, byte)
  fc.assert(
    fc.property(four, four, fc.integer({ min: 0, max: 32 }), (one, other, prefixLength) => {
      const mixed = [...other.slice(0, 2), ...one.slice(2)]
      const range = parseRange(`${other.join('.')}/${prefixLength}`)!
      for (const address of [one, mixed]) {
        const agree = bits(address).slice(0, prefixLength) === bits(other).slice(0, prefixLength)
        expect(inRange(address, range)).toBe(agree)
      }
    }),
    { numRuns: 500, seed: 12 },
  )
})
