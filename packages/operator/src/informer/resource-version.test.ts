import { describe, expect, it } from 'vitest'
import { isLater } from './reflector.js'

describe('a resource version', () => {
  it.each([
    ['2', '1', true],
    ['1', '2', false],
    ['7', '7', false],
    ['10', '9', true],
    ['9', '10', false],
    ['1234567890123456789012', '1234567890123456789011', true],
    ['123', '12', true],
    ['12', '123', false],
    ['', '', false],
    ['1', '', true],
  ])('%j is later than %j: %j', (a, b, expected) => {
    expect(isLater(a, b)).toBe(expected)
  })

  it.each([
    ['x', '5'],
    ['1x', '5'],
    ['5', 'x9'],
    ['01', '5'],
    ['', '5'],
  ])('that is no number is never overlooked: %j and %j', (a, b) => {
    expect(isLater(a, b)).toBe(true)
    expect(isLater(b, a)).toBe(true)
  })
})
