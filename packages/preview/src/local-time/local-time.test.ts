import { utc, zone } from '@kron/core'
import { describe, expect, it } from 'vitest'
import {
  formatLocal,
  formatLocalRfc,
  formatLocalShort,
  formatOffset,
  signedDuration,
  wallDate,
  wallTime,
  weekdayOf,
} from './local-time.js'

const at = (text: string): number => Date.parse(text)

describe('local time', () => {
  it('is shown with weekday and offset', () => {
    const instant = at('2026-03-29T01:00:00Z')
    expect(formatLocal(instant, zone('Europe/Paris'))).toBe('Sun 2026-03-29 03:00:00 +02:00')
    expect(formatLocal(instant - 1000, zone('Europe/Paris'))).toBe('Sun 2026-03-29 01:59:59 +01:00')
    expect(formatLocal(instant, zone('America/St_Johns'))).toBe('Sat 2026-03-28 22:30:00 -02:30')
    expect(formatLocalShort(instant, utc)).toBe('Sun 03-29 01:00:00 +00:00')
    expect(formatLocalRfc(instant, zone('Asia/Kathmandu'))).toBe('2026-03-29T06:45:00+05:45')
  })

  it('has the weekday of any date, also before 1970', () => {
    expect(weekdayOf(at('1970-01-01T00:00:00Z'))).toBe('Thu')
    expect(weekdayOf(at('1969-12-31T23:59:59Z'))).toBe('Wed')
    expect(weekdayOf(at('2026-03-01T12:00:00Z'))).toBe('Sun')
  })

  it('shows seconds of offsets that had them', () => {
    expect(formatOffset(0)).toBe('+00:00')
    expect(formatOffset(-4 * 3600 - 30 * 60)).toBe('-04:30')
    expect(formatOffset(561)).toBe('+00:09:21')
    expect(wallDate(wallTime(at('1900-01-01T00:00:00Z'), zone('Europe/Paris')))).toBe('1900-01-01')
  })
})

describe('a signed duration', () => {
  it.each<[number, string]>([
    [0, '0s'],
    [75, '1m15s'],
    [-75, '-1m15s'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(signedDuration(seconds)).toBe(text)
  })
})
