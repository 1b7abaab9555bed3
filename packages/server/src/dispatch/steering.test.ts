import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHttpDate, parseSteering } from './steering.js'

const now = Date.UTC(2026, 2, 1)
const minute = 60_000
const hour = 60 * minute

describe('a response steers', () => {
  it.each<[name: string, value: string, steering: object]>([
    ['kron-next-run', '2026-03-01T02:32:20Z', { nextRunAt: now + 9_140_000 }],
    [
      'kron-next-run',
      '2026-03-01T01:00:00+01:00 ; TTL = 5m',
      { nextRunAt: now, nextRunTtlMs: 5 * minute },
    ],
    ['kron-interval', '60s', { intervalMs: minute }],
    ['kron-interval', '60s; ttl=30m', { intervalMs: minute, intervalTtlMs: 30 * minute }],
    ['kron-interval', ' 1h30m;ttl=1500ms ', { intervalMs: 1.5 * hour, intervalTtlMs: 1500 }],
    ['kron-interval', '1.0005s', { intervalMs: 1000 }],
    ['retry-after', '0', { retryAfterMs: 0 }],
    ['retry-after', '120', { retryAfterMs: 120_000 }],
    ['retry-after', 'Sun, 01 Mar 2026 00:01:00 GMT', { retryAfterMs: minute }],
    ['retry-after', 'Sunday, 01-Mar-26 00:01:00 GMT', { retryAfterMs: minute }],
    ['retry-after', 'Sun Mar  1 00:01:00 2026', { retryAfterMs: minute }],
    ['retry-after', 'Sat, 28 Feb 2026 23:59:59 GMT', { retryAfterMs: 0 }],
  ])('by %s: %s', (name, value, steering) => {
    expect(parseSteering({ [name]: value }, now)).toEqual({ ...steering, problems: [] })
  })

  it('by all of them at once', () => {
    const headers = {
      'kron-next-run': '2026-03-01T00:00:00Z',
      'kron-interval': '1s',
      'retry-after': '1',
      'content-type': 'text/plain',
    }
    expect(parseSteering(headers, now)).toEqual({
      nextRunAt: now,
      intervalMs: 1000,
      retryAfterMs: 1000,
      problems: [],
    })
  })

  it('by nothing when it has none of them', () => {
    expect(parseSteering({ 'content-type': 'text/plain' }, now)).toEqual({ problems: [] })
  })
})

describe('a problem', () => {
  it.each([
    ['kron-next-run', 'tomorrow'],
    ['kron-next-run', '2026-02-30T00:00:00Z'],
    ['kron-next-run', '2026-03-01'],
    ['kron-next-run', '2026-03-01T00:00:00Z, 2026-03-01T00:00:00Z'],
    ['kron-next-run', '2026-03-01T00:00:00Z; ttl=0s'],
    ['kron-next-run', ''],
    ['kron-next-run', '9999-12-31T23:59:59-23:59'],
    ['kron-interval', '60'],
    ['kron-interval', '-60s'],
    ['kron-interval', '0s'],
    ['kron-interval', '1us'],
    ['kron-interval', '60s, 60s'],
    ['kron-interval', '60s; ttl'],
    ['kron-interval', '60s; ttl=x'],
    ['kron-interval', '60s; ttl=-1s'],
    ['kron-interval', '60s; ttl=1m; ttl=2m'],
    ['kron-interval', '60s; max=1m'],
    ['kron-interval', '60s;'],
    ['kron-interval', '9'.repeat(500)],
    ['retry-after', '-1'],
    ['retry-after', '1.5'],
    ['retry-after', '99999999999'],
    ['retry-after', 'soon'],
    ['retry-after', '2026-03-01T00:00:00Z'],
    ['retry-after', 'Tue, 31 Feb 2026 00:00:00 GMT'],
    ['retry-after', 'Sun, 01 Abc 2026 00:00:00 GMT'],
    ['retry-after', 'Sun, 01 Mar 2026 24:00:00 GMT'],
    ['retry-after', 'Sun, 01 Mar 2026 00:00:00 CET'],
  ])('is what %s: %s has, and all it has', (name, value) => {
    const { problems, ...rest } = parseSteering({ [name]: value }, now)
    expect(rest).toEqual({})
    expect(problems).toHaveLength(1)
    expect(problems[0]!.toLowerCase()).toMatch(new RegExp(`^${name}: .{10,}`))
    expect(problems[0]!.length).toBeLessThan(250)
  })

  it('in one header leaves the others', () => {
    const headers = { 'kron-interval': 'x', 'kron-next-run': 'x', 'retry-after': '5' }
    const steering = parseSteering(headers, now)
    expect(steering.retryAfterMs).toBe(5000)
    expect(steering.problems).toHaveLength(2)
  })

  it('is never thrown', () => {
    const value = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-z;=. :TZ+-]{0,40}$/))
    fc.assert(
      fc.property(value, value, value, (nextRun, interval, retryAfter) => {
        const headers = {
          'kron-next-run': nextRun,
          'kron-interval': interval,
          'retry-after': retryAfter,
        }
        const { problems, ...rest } = parseSteering(headers, now)
        for (const each of Object.values(rest)) expect(Number.isSafeInteger(each)).toBe(true)
        const understood = ['nextRunAt', 'intervalMs', 'retryAfterMs'].filter((key) => key in rest)
        expect(problems.length + understood.length).toBe(3)
      }),
      { numRuns: 2_000, seed: 9 },
    )
  })
})

describe('an HTTP date', () => {
  it('is read back to the second it was written for', () => {
    const latest = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000
    fc.assert(
      fc.property(fc.integer({ min: 0, max: latest }), (seconds) => {
        const text = new Date(seconds * 1000).toUTCString()
        expect(parseHttpDate(text, now)).toBe(seconds * 1000)
      }),
      { numRuns: 1_000, seed: 4 },
    )
  })

  it('with two digits for the year is at most fifty years ahead', () => {
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(784_111_777_000)
    expect(parseHttpDate('Wednesday, 01-Jan-76 00:00:00 GMT', now)).toBe(Date.UTC(2076, 0, 1))
    expect(parseHttpDate('Saturday, 01-Jan-77 00:00:00 GMT', now)).toBe(Date.UTC(1977, 0, 1))
  })
})
