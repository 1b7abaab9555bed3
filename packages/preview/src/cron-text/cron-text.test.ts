import { parseCron } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldTexts, fieldWords, scheduleWords, valuesOf } from './index.js'

describe('a schedule in words', () => {
  it.each([
    ['0 2 * * *', 'at 02:00, every day'],
    ['* * * * *', 'every minute'],
    ['*/15 * * * *', 'at minute 0, 15, 30 and 45 of every hour'],
    ['*/5 * * * *', 'every 5th minute of every hour'],
    ['*/2 9-17 * * *', 'every 2nd minute of hour 9 to 17, every day'],
    ['0 9-17 * * MON-FRI', 'at minute 0 of hour 9 to 17, on Monday to Friday'],
    ['30 2 1,15 * 5-7', 'at 02:30, on day 1 and 15, or on Friday to Sunday'],
    ['30 2 * * fri-sun', 'at 02:30, on Friday to Sunday'],
    [
      '5 */2 * JAN,JUN-AUG *',
      'at minute 5 of every 2nd hour, every day, in January and June to August',
    ],
    ['*/90 * * * *', 'at minute 0 of every hour'],
    ['0 0,12 1-31/2 * *', 'at 00:00 and 12:00, on every 2nd day from day 1 to 31'],
    ['1-59/11 3 * * *', 'at 03:01, 03:12, 03:23, 03:34, 03:45 and 03:56, every day'],
    ['0 0 * * 7', 'at 00:00, on Sunday'],
    ['@daily', 'at 00:00, every day'],
    ['@Weekly', 'at 00:00, on Sunday'],
    ['@hourly', 'at minute 0 of every hour'],
    ['@yearly', 'at 00:00, on day 1, in January'],
    ['@monthly', 'at 00:00, on day 1'],
  ])('%s is %s', (expression, words) => {
    expect(scheduleWords(expression)).toBe(words)
  })

  it('says what each field is', () => {
    const fields = fieldTexts('*/13 3 * 1-3 MON')!
    expect(fields.map((text) => [text.field.name, fieldWords(text), text.restricted])).toEqual([
      ['minute', 'minute 0, 13, 26, 39 and 52', true],
      ['hour', 'hour 3', true],
      ['day', 'every day', false],
      ['month', 'January to March', true],
      ['weekday', 'Monday', true],
    ])
  })
})

describe('the values of a field', () => {
  const name = fc.constantFrom('SUN', 'mon', 'Tue', 'WED', 'thu', 'FRI', 'sat', '0', '3', '7')
  const range = (min: number, max: number) =>
    fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.integer({ min: 1, max: 70 }))
      .map(([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}/${step}`)
  const field = (min: number, max: number) =>
    fc
      .array(
        fc.oneof(
          range(min, max),
          fc.integer({ min, max }).map(String),
          fc.integer({ min: 1, max: 70 }).map((step) => `*/${step}`),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((elements) => elements.join(','))

  it('are those that core matches', () => {
    fc.assert(
      fc.property(field(0, 59), field(0, 23), (minute, hour) => {
        const expression = `${minute} ${hour} * * *`
        const cron = parseCron(expression)
        const [minutes, hours] = fieldTexts(expression)!.map(valuesOf)
        const matching = (count: number, unit: number, other: number, otherUnit: number) =>
          Array.from({ length: count }, (_, value) => value).filter((value) =>
            cron.matches(value * unit + other * otherUnit),
          )
        expect(matching(60, 60_000, hours![0]!, 3_600_000)).toEqual(minutes)
        expect(matching(24, 3_600_000, minutes![0]!, 60_000)).toEqual(hours)
      }),
      { numRuns: 300 },
    )
  })

  it('are those that core matches for weekdays, by name and number', () => {
    const sunday = Date.UTC(2026, 2, 1)
    const ranges = fc.constantFrom('FRI-SUN', '4-7', '1-5', 'mon-wed', '0-6/2', '*/3', '5-7/2')
    fc.assert(
      fc.property(fc.array(fc.oneof(name, ranges), { minLength: 1, maxLength: 3 }), (list) => {
        const expression = `0 0 * * ${list.join(',')}`
        const cron = parseCron(expression)
        const days = [0, 1, 2, 3, 4, 5, 6].filter((day) => cron.matches(sunday + day * 86_400_000))
        expect(valuesOf(fieldTexts(expression)![4]!)).toEqual(days)
      }),
      { numRuns: 300 },
    )
  })
})
