import { Duration as LuxonDuration } from 'luxon'
import { describe, expect, it } from 'vitest'
import { Duration, retryDelayMs } from './index.js'

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
