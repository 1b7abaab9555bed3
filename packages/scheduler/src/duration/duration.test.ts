import { ConfigurationError } from '@kron/core'
import { Duration as LuxonDuration } from 'luxon'
import { describe, expect, it } from 'vitest'
import { Duration, retryDelayMs } from './duration.js'

describe('a duration', () => {
  it.each([
    [Duration.ms(1), 1],
    [Duration.ms(0.25), 0.25],
    [Duration.seconds(90), 90_000],
    [Duration.minutes(1.5), 90_000],
    [Duration.hours(2), 7_200_000],
    [Duration.minutes(-1), -60_000],
  ])('%s has %d milliseconds', (duration, ms) => {
    expect(duration.ms).toBe(ms)
    expect(duration.toString()).toBe(`${ms}ms`)
  })

  it.each([
    ['0', 0],
    ['500ms', 500],
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['-2s', -2000],
    ['-1h30m', -5_400_000],
  ])('is read from %j', (text, ms) => {
    expect(Duration.parse(text).ms).toBe(ms)
  })

  it.each(['', '-', '5', '5 minutes', 'm', '--2s', '-+2s', '1d', '5M', ' 5m', 'PT5M'])(
    'can not be read from %j',
    (text) => {
      expect(() => Duration.parse(text)).toThrow(ConfigurationError)
    },
  )

  it.each([undefined, null, 5, {}, ['5m']])(
    'can not be read from %o, which is no text',
    (value) => {
      expect(() => Duration.parse(value as string)).toThrow(ConfigurationError)
    },
  )

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '5', 5n, null, undefined, {}])(
    'can not be made of %o',
    (count) => {
      for (const unit of ['ms', 'seconds', 'minutes', 'hours'] as const) {
        expect(() => Duration[unit](count as number)).toThrow(ConfigurationError)
      }
    },
  )

  it('can not be changed', () => {
    const duration = Duration.minutes(5)
    expect(() => Object.assign(duration, { ms: 1 })).toThrow(TypeError)
    expect(duration.ms).toBe(300_000)
  })
})

describe('the milliseconds of a retry delay', () => {
  const total = (unit: string): number => (unit === 'milliseconds' ? 1500 : Number.NaN)
  it.each([
    ['of a duration', Duration.seconds(1.5), 1500],
    ['of a negative duration', Duration.seconds(-1.5), -1500],
    ['of a duration of Luxon', LuxonDuration.fromObject({ seconds: 1, milliseconds: 500 }), 1500],
    ['of a duration of Temporal', { total }, 1500],
    ['of one with both methods, as Luxon tells', { toMillis: (): number => 1, total }, 1],
  ])('%s', (_what, value, ms) => {
    expect(retryDelayMs(value)).toBe(ms)
  })

  it('of a duration of Luxon that is not valid is no number', () => {
    expect(retryDelayMs(LuxonDuration.invalid('unknown'))).toBeNaN()
  })

  const thrower = (): never => {
    throw new RangeError('months have no length of their own')
  }
  it.each([
    ['a number', 5],
    ['text', '5m'],
    ['nothing', undefined],
    ['null', null],
    ['a date', new Date(0)],
    ['a function', () => 5],
    ['an object', { ms: 5 }],
    ['one that answers with text', { toMillis: () => '5' }],
    ['one that answers with a big number', { total: () => 5n }],
    ['one that throws', { total: thrower }],
    ['one whose property throws', Object.defineProperty({}, 'toMillis', { get: thrower })],
  ])('are none of %s', (_what, value) => {
    expect(retryDelayMs(value)).toBeNull()
  })
})
