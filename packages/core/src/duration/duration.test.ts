import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failure } from '../../test/failure.js'
import { ConfigurationError, ValidationError } from '../errors/index.js'
import { durationOf, formatDuration, parseDuration } from './index.js'

const hour = 3_600_000

describe('parseDuration', () => {
  const good: [text: string, milliseconds: number][] = [
    ['0', 0],
    ['+0', 0],
    ['-0', 0],
    ['-0s', 0],
    ['-0h0.000ns', 0],
    ['0s', 0],
    ['5s', 5000],
    ['+5s', 5000],
    ['1478s', 1_478_000],
    ['5.s', 5000],
    ['.5s', 500],
    ['5.6s', 5600],
    ['1.004s', 1004],
    ['1.0040s', 1004],
    ['100.00100s', 100_001],
    ['10ns', 0.00001],
    ['11us', 0.011],
    ['12\u00b5s', 0.012],
    ['12\u03bcs', 0.012],
    ['13ms', 13],
    ['14s', 14_000],
    ['15m', 900_000],
    ['16h', 16 * hour],
    ['1h1m1s', 3_661_000],
    ['1h30m', 1.5 * hour],
    ['1.5h', 1.5 * hour],
    ['3h30m', 3.5 * hour],
    ['10.5s4m', 250_500],
    ['1h2m3s4ms5us6ns', 3_723_004.005006],
    ['39h9m14.425s', 140_954_425],
    ['1s1s1s', 3000],
    ['52763797000ns', 52_763.797],
    ['0000000000000000000000000001h', hour],
    // Where Go's floating point decides.
    ['0.3333333333333333333h', 1_200_000],
    ['0.100000000000000000000h', 360_000],
    ['0.830103483285477580700h', 2_988_372.539827],
    ['0.9223372036854775807h', 3_320_413.933267],
    ['0.927058596272777747173285h', 3_337_410.946581],
    ['0.961438544076111106279172h', 3_461_178.758674],
    ['0.324582649649999976497540h', 1_168_497.53874],
    ['9007199254.740993ms', 9_007_199_254.740993],
    ['0.00000000000000000000000000000000000000000000000001h', 0],
    ['2562047h47m16.854775807s', 9_223_372_036_854.775],
    ['9223372036854775807ns', 9_223_372_036_854.775],
  ]
  it.each(good)('reads %s as %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  it('cuts a fraction to the nanosecond, as Go does', () => {
    expect(parseDuration('1.9999ns')).toBe(0.000001)
    expect(parseDuration('0.9ns')).toBe(0)
  })

  const bad: [text: string, position: number, length: number, reason: string][] = [
    ['', 0, 1, 'a number is missing'],
    ['-', 1, 1, 'a number is missing'],
    ['+', 1, 1, 'a number is missing'],
    ['s', 0, 1, 'a number is missing'],
    ['.', 0, 1, 'a number is missing'],
    ['.s', 0, 2, 'a number is missing'],
    ['-.s', 1, 2, 'a number is missing'],
    ['3', 1, 1, 'a unit is missing'],
    ['00', 2, 1, 'a unit is missing'],
    ['1h30', 4, 1, 'a unit is missing'],
    ['1.2.3s', 3, 1, 'a unit is missing'],
    ['3d', 1, 1, 'unknown unit'],
    ['1h30x', 4, 1, 'unknown unit'],
    ['1H', 1, 1, 'unknown unit'],
    ['1 h', 1, 2, 'unknown unit'],
    [' 1h', 0, 1, 'a number is missing'],
    ['1h ', 1, 2, 'unknown unit'],
    ['1h -5m', 1, 3, 'unknown unit'],
    ['--1s', 1, 1, 'a number is missing'],
    ['1e3s', 1, 1, 'unknown unit'],
    ['\u0661s', 0, 2, 'a number is missing'],
    ['-1h3', 4, 1, 'a unit is missing'],
  ]
  it.each(bad)('refuses %j at %d', (text, position, length, reason) => {
    const error = failure(() => parseDuration(text, 'window.duration'))
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.code).toBe('KRON_DURATION_INVALID')
    expect(error.details).toMatchObject({ field: 'window.duration', value: text, position, length })
    expect(error.message).toContain(reason)
  })

  it.each([
    ['2 hours', '2h'],
    ['2hours', '2h'],
    ['90 min', '1h30m'],
    ['1 hour 30 Minutes', '1h30m'],
    ['1 day, 6 hours', '30h'],
    ['1.5d', '36h'],
    ['2 weeks', '336h'],
    ['1H', '1h'],
    ['30 secs', '30s'],
  ])('advises, of %j, to write %s', (text, meant) => {
    expect(failure(() => parseDuration(text)).message).toMatch(
      new RegExp(`; did you mean ${meant}\\?$`),
    )
    expect(parseDuration(meant)).toBeGreaterThan(0)
  })

  it.each(['', '3', '2 fortnights', 'h', '1h -5m', '9 '.repeat(500), '99999999999 weeks'])(
    'advises nothing of %j',
    (text) => {
      expect(failure(() => parseDuration(text)).message).not.toContain('did you mean')
    },
  )

  it.each(['-1s', '-1ns', '-1h30m', '-99999999999999h'])('refuses %s as negative', (text) => {
    const error = failure(() => parseDuration(text))
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.code).toBe('KRON_DURATION_NEGATIVE')
    expect(error.details).toMatchObject({ position: 0, length: text.length })
  })

  it.each([
    '9223372036854775808ns',
    '9223372036854775.808us',
    '2562047h47m16.854775808s',
    '2562048h',
    '3000000h',
    '18446744073709551616ns',
    `${'9'.repeat(100_000)}h`,
    '9223372036854775807ns1ns',
  ])('refuses %s as longer than 2^63-1 ns', (text) => {
    const error = failure(() => parseDuration(text))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error.code).toBe('KRON_DURATION_TOO_LONG')
  })

  it('sums terms exactly', () => {
    const term = fc.tuple(fc.nat(1000), fc.constantFrom('ns', 'us', 'ms', 's', 'm', 'h'))
    const scale = {
      ns: 1n,
      us: 1000n,
      ms: 10n ** 6n,
      s: 10n ** 9n,
      m: 6n * 10n ** 10n,
      h: 36n * 10n ** 11n,
    }
    const property = fc.property(fc.array(term, { minLength: 1, maxLength: 8 }), (terms) => {
      const sum = terms.reduce((total, [n, unit]) => total + BigInt(n) * scale[unit], 0n)
      const text = terms.map(([n, unit]) => `${n}${unit}`).join('')
      expect(parseDuration(text)).toBe(Number(`${sum}e-6`))
    })
    fc.assert(property, { numRuns: 500 })
  })
})

describe('formatDuration', () => {
  const canonical: [milliseconds: number, text: string][] = [
    [0, '0s'],
    [-0, '0s'],
    [1.5 * hour, '1h30m'],
    [45_000, '45s'],
    [90_000, '1m30s'],
    [500, '500ms'],
    [1.5, '1.5ms'],
    [1500, '1.5s'],
    [hour + 1000, '1h1s'],
    [hour + 500, '1h500ms'],
    [0.0015, '1.5us'],
    [0.000001, '1ns'],
    [366 * 24 * hour, '8784h'],
    [3_723_004.005006, '1h2m3.004005006s'],
    [9_223_372_036_854.775, '2562047h47m16.854775391s'],
  ]
  it.each(canonical)('writes %d as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text)
  })

  it('is read back to the same number, for any number of nanoseconds', () => {
    const nanoseconds = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: 0n, max: 2n ** 55n }),
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
    )
    const property = fc.property(nanoseconds, (n) => {
      const duration = parseDuration(`${n}ns`)
      expect(duration).toBe(Number(`${n}e-6`))
      const text = formatDuration(duration)
      expect(parseDuration(text)).toBe(duration)
      expect(formatDuration(parseDuration(text))).toBe(text)
    })
    fc.assert(property, { numRuns: 3000 })
  })

  it('refuses what is not a duration', () => {
    expect(failure(() => formatDuration(Number.NaN)).code).toBe('KRON_DURATION_INVALID')
    expect(failure(() => formatDuration(-1)).code).toBe('KRON_DURATION_NEGATIVE')
    expect(failure(() => formatDuration(1e300)).code).toBe('KRON_DURATION_TOO_LONG')
  })
})

describe('durationOf', () => {
  it('takes text and numbers of milliseconds', () => {
    expect(durationOf('3h', 'window.duration')).toBe(3 * hour)
    expect(durationOf(250, 'window.duration')).toBe(250)
    expect(Object.is(durationOf(-0, 'window.duration'), 0)).toBe(true)
  })

  it('leaves numbers with up to six decimals as they are', () => {
    const property = fc.property(fc.nat(2_000_000_000), fc.nat(6), (digits, decimals) => {
      const value = Number(`${digits}e-${decimals}`)
      expect(durationOf(value, 'd')).toBe(value)
    })
    fc.assert(property, { numRuns: 2000, examples: [[1243, 3]] })
  })

  it('rounds numbers to the nanosecond, so that their text is read back to the same', () => {
    expect(durationOf(1.0000004, 'd')).toBe(1)
    expect(durationOf(0.0000006, 'd')).toBe(0.000001)
    const property = fc.property(fc.double({ min: 0, max: 9e12, noNaN: true }), (value) => {
      const duration = durationOf(value, 'd')
      const halfAnUlp = value * 2 ** -53
      expect(Math.abs(duration - value)).toBeLessThanOrEqual(5.1e-7 + halfAnUlp)
      expect(parseDuration(formatDuration(duration))).toBe(duration)
    })
    fc.assert(property, { numRuns: 2000, examples: [[6129752273.0786705]] })
  })

  const trap = {
    toString() {
      throw new Error('trap')
    },
  }
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['true', true],
    ['an array', ['1h']],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a bigint', 5n],
    ['a symbol', Symbol('1h')],
    ['a function', () => '1h'],
    ['an object that throws when converted', trap],
    ['a revoked proxy', revoked.proxy],
    ['a String object', Object('1h')],
  ])('refuses %s', (_, value) => {
    for (const action of [
      () => durationOf(value, 'policy.deadline'),
      () => parseDuration(value as string, 'policy.deadline'),
    ]) {
      const error = failure(action)
      expect(error).toBeInstanceOf(ConfigurationError)
      expect(error.code).toBe('KRON_DURATION_INVALID')
      expect(error.details.field).toBe('policy.deadline')
      expect(error.message).toMatch(/^policy\.deadline must be a duration such as .*, got /)
    }
  })

  it.each([-1, -1e-12, Number.NEGATIVE_INFINITY, '-5m'])('refuses the negative %s', (value) => {
    expect(failure(() => durationOf(value, 'd')).code).toBe('KRON_DURATION_NEGATIVE')
  })

  it('refuses numbers beyond 2^63-1 ns', () => {
    expect(failure(() => durationOf(9_223_372_036_855, 'd')).code).toBe('KRON_DURATION_TOO_LONG')
  })
})
