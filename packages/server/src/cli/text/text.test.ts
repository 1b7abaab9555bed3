import { describe, expect, it } from 'vitest'
import { distance, roughDuration, whenText } from './distance.js'

const now = Date.UTC(2026, 2, 1, 12)
const second = 1000

describe('durations as people say them', () => {
  it.each([
    [0, '0ms'],
    [999.4, '999ms'],
    [second, '1s'],
    [90 * second, '1m30s'],
    [3600 * second, '1h'],
    [3661 * second, '1h1m'],
    [86_400 * second, '1d'],
    [(2 * 86_400 + 4 * 3600 + 59 * 60) * second, '2d4h'],
  ])('%d ms is %s', (ms, text) => {
    expect(roughDuration(ms)).toBe(text)
  })

  it('have a direction', () => {
    expect(distance(now + 270 * second, now)).toBe('in 4m30s')
    expect(distance(now - 7200 * second, now)).toBe('2h ago')
    expect(distance(now + 999, now)).toBe('now')
  })

  it('stand beside the time', () => {
    expect(whenText('2026-03-01T12:04:30Z', now)).toBe('2026-03-01T12:04:30Z (in 4m30s)')
    expect(whenText(null, now)).toBeNull()
  })
})
