import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ValidationError } from '../errors/index.js'
import {
  checkInstant,
  formatDay,
  formatInstant,
  formatYear,
  latestInstant,
  parseInstant,
  twoDigit,
} from './instant.js'

function refusal(action: () => unknown): ValidationError {
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError)
    return error as ValidationError
  }
  throw new Error('nothing was refused')
}

describe('checkInstant', () => {
  it.each([0, -0, 1, -1, latestInstant, -latestInstant, 1_772_332_340_000])(
    'accepts %d',
    (value) => {
      expect(() => checkInstant(value, 'now')).not.toThrow()
    },
  )

  const wrong: [value: unknown, shown: string][] = [
    [Number.NaN, 'NaN'],
    [1.5, '1.5'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    ['5', '"5"'],
    ['', '""'],
    [null, 'null'],
    [undefined, 'undefined'],
    [latestInstant + 1, '8640000000000001'],
    [-latestInstant - 1, '-8640000000000001'],
    [5n, '5n'],
    [true, 'true'],
    [{}, 'an object'],
    [[5], 'an array of 1'],
    [new Date(5), 'an object'],
    [Symbol('x'), 'Symbol(x)'],
    [() => 5, 'a function'],
  ]
  it.each(wrong)('refuses %s', (value, shown) => {
    const error = refusal(() => checkInstant(value, 'now'))
    expect(error.code).toBe('KRON_INSTANT_INVALID')
    expect(error.message).toBe(
      `now must be a whole number of epoch milliseconds within ±8.64e15, got ${shown}`,
    )
    expect(error.details).toEqual({
      field: 'now',
      value,
      allowed: 'an integer from -8.64e15 to 8.64e15',
    })
  })
})

describe('formatInstant', () => {
  it.each([
    [0, '1970-01-01T00:00:00Z'],
    [-0, '1970-01-01T00:00:00Z'],
    [-1, '1969-12-31T23:59:59Z'],
    [999, '1970-01-01T00:00:00Z'],
    [1000, '1970-01-01T00:00:01Z'],
    [1_772_332_340_000, '2026-03-01T02:32:20Z'],
    [951_782_399_000, '2000-02-28T23:59:59Z'],
    [951_782_400_000, '2000-02-29T00:00:00Z'],
    [-62_167_219_200_000, '0000-01-01T00:00:00Z'],
    [-62_167_219_200_001, '-000001-12-31T23:59:59Z'],
    [-62_135_596_800_000, '0001-01-01T00:00:00Z'],
    [253_402_300_799_000, '9999-12-31T23:59:59Z'],
    [253_402_300_800_000, '+010000-01-01T00:00:00Z'],
    [latestInstant, '+275760-09-13T00:00:00Z'],
    [-latestInstant, '-271821-04-20T00:00:00Z'],
  ])('writes %d as %s', (instant, text) => {
    expect(formatInstant(instant)).toBe(text)
  })

  it('is what Date writes, without the fraction', () => {
    fc.assert(
      fc.property(fc.integer({ min: -latestInstant, max: latestInstant }), (instant) => {
        const expected = new Date(instant).toISOString().replace(/\.\d{3}/, '')
        expect(formatInstant(instant)).toBe(expected)
        expect(formatDay(Math.floor(instant / 86_400_000))).toBe(expected.split('T')[0])
      }),
      { numRuns: 10_000, seed: 9 },
    )
  })

  it('pads years and pairs of digits', () => {
    expect([0, 7, 999, 2026, 9999].map(formatYear)).toEqual([
      '0000',
      '0007',
      '0999',
      '2026',
      '9999',
    ])
    expect([-1, 10_000, -271_821].map(formatYear)).toEqual(['-000001', '+010000', '-271821'])
    expect([0, 9, 10, 59].map(twoDigit)).toEqual(['00', '09', '10', '59'])
  })
})

describe('parseInstant', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0],
    ['2026-03-01T02:32:20Z', 1_772_332_340_000],
    ['2026-03-01t02:32:20z', 1_772_332_340_000],
    ['2026-03-01 02:32:20Z', 1_772_332_340_000],
    ['2026-03-01T02:32:20.5Z', 1_772_332_340_500],
    ['2026-03-01T02:32:20.005Z', 1_772_332_340_005],
    ['2026-03-01T02:32:20.123999999Z', 1_772_332_340_123],
    ['2026-03-01T02:32:20+00:00', 1_772_332_340_000],
    ['2026-03-01T02:32:20-00:00', 1_772_332_340_000],
    ['2026-03-01T03:32:20+01:00', 1_772_332_340_000],
    ['2026-02-28T21:32:20-05:00', 1_772_332_340_000],
    ['2026-03-01T08:17:20+05:45', 1_772_332_340_000],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000],
    ['1969-12-31T23:59:59.999Z', -1],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    ['0000-01-01T00:00:00+23:59', -62_167_305_540_000],
  ])('reads %s as %d', (text, instant) => {
    expect(parseInstant(text)).toBe(instant)
  })

  const wrong: unknown[] = [
    '',
    ' ',
    'now',
    '2026-03-01',
    '2026-03-01T02:32Z',
    '2026-03-01T02:32:20',
    '2026-03-01T02:32:20z ',
    ' 2026-03-01T02:32:20Z',
    '2026-03-01T02:32:20Z\n',
    '2026-03-01T02:32:20.Z',
    '2026-03-01T02:32:20.1234567890Z',
    '2026-03-01T02:32:20,5Z',
    '2026-03-01T02:32:20+0100',
    '2026-03-01T02:32:20+01',
    '2026-03-01T02:32:20+24:00',
    '2026-03-01T02:32:20+01:60',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T23:59:60Z',
    '26-01-01T00:00:00Z',
    '+002026-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2026-1-1T00:00:00Z',
    '２０２６-01-01T00:00:00Z',
    0,
    Number.NaN,
    null,
    undefined,
    {},
    ['2026-03-01T02:32:20Z'],
    new Date(0),
    Symbol('x'),
  ]
  it.each(wrong.map((value) => [value]))('refuses %s', (value) => {
    const error = refusal(() => parseInstant(value as string, 'nominalTime'))
    expect(error.code).toBe('KRON_INSTANT_INVALID')
    expect(error.message).toMatch(/^nominalTime must be an RFC 3339 time such as/)
    expect(error.details).toMatchObject({ field: 'nominalTime', value })
  })

  it('reads back what formatInstant writes', () => {
    const [first, last] = [
      parseInstant('0000-01-01T00:00:00Z'),
      parseInstant('9999-12-31T23:59:59Z'),
    ]
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (instant) => {
        const seconds = Math.floor(instant / 1000) * 1000
        expect(parseInstant(formatInstant(instant)) + 0).toBe(seconds + 0)
        expect(parseInstant(new Date(instant).toISOString()) + 0).toBe(instant + 0)
      }),
      { numRuns: 10_000, seed: 9 },
    )
  })
})
