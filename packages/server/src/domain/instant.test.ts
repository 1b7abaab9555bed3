import { describe, expect, it } from 'vitest'
import { monthEnd, monthOf } from './instant.js'

describe('a month', () => {
  it.each([
    ['2026-03-15T12:00:00.000Z', '2026-03', '2026-04-01T00:00:00.000Z'],
    ['2026-03-01T00:00:00.000Z', '2026-03', '2026-04-01T00:00:00.000Z'],
    ['2026-03-31T23:59:59.999Z', '2026-03', '2026-04-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ])('of %s is %s and ends at %s', (text, month, end) => {
    const instant = Date.parse(text)
    expect(monthOf(instant)).toBe(month)
    expect(new Date(monthEnd(instant)).toISOString()).toBe(end)
  })
})
