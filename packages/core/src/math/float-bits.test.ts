import { expect, it } from 'vitest'
import { highWord, powerOfTwo, withHighWord } from './float-bits.js'

it('makes every power of two of the normal range', () => {
  for (let exponent = -1022; exponent <= 1023; exponent++) {
    expect(powerOfTwo(exponent)).toBe(2 ** exponent)
  }
})

it('reads and replaces the half of the bits that holds the exponent', () => {
  expect(highWord(1)).toBe(0x3ff0_0000)
  expect(highWord(-2)).toBe(0xc000_0000 | 0)
  expect(withHighWord(1.7, highWord(1.7) + (3 << 20))).toBe(1.7 * 8)
})
