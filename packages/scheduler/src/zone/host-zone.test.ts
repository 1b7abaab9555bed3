import { parseCron, utc, zone, zoneNames } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OffsetAt } from './clock-changes.js'
import { HostZone } from './host-zone.js'

/** A host whose clock is that of a zone of ours: what is found must be what that zone has. */
const clockOf =
  (name: string): OffsetAt =>
  (seconds) =>
    zone(name).offsetAt(seconds)

const expressions = [
  '* * * * *',
  '30 2 * * *',
  '0,30 1 * * *',
  '0 0 * * *',
  '15 3 1,15 * 1',
  '0 12 29 2 *',
  '59 23 31 12 *',
].map((text) => parseCron(text, 'posix'))

const day = 86_400_000
const now = Date.UTC(2026, 2, 2)
const instant = fc.oneof(
  fc.integer({ min: now - 400 * day, max: now + 12 * 366 * day }),
  fc.integer({ min: Date.UTC(1930, 0), max: Date.UTC(2400, 0) }),
)

describe('the zone of a host', () => {
  it('has the minutes of the zone that its clock shows, wherever it is asked', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zoneNames()),
        fc.array(fc.tuple(fc.constantFrom(...expressions), instant), { maxLength: 8 }),
        (name, questions) => {
          const host = new HostZone(now, clockOf(name))
          for (const [cron, at] of questions) {
            expect(host.next(cron, at)).toBe(cron.next(at, name))
            expect(host.previous(cron, at)).toBe(cron.previous(at, name))
            expect(host.matches(cron, at)).toBe(cron.matches(at, name))
          }
        },
      ),
      { numRuns: 300, seed: 9 },
    )
  })

  it('has every change of every zone, for a hundred years', () => {
    for (const name of zoneNames()) {
      const known = zone(name)
      const [from, to] = [Date.UTC(1970, 0), Date.UTC(2070, 0)]
      const host = new HostZone(now, clockOf(name)).around(from, to)
      const within = ({ starts }: typeof known): number[] =>
        [...starts].filter((at) => at * 1000 > from && at * 1000 <= to)
      expect(within(host), name).toEqual(within(known))
      expect(host.offsetAt(from / 1000), name).toBe(known.offsetAt(from / 1000))
    }
  })

  it('begins again around an instant that is ages away, and finds its way back', () => {
    const host = new HostZone(now, clockOf('Europe/Paris'))
    const noon = parseCron('0 12 * * *', 'posix')
    for (const year of [2026, 9000, -3000, 2026, 1200, 2027]) {
      const at = Date.UTC(year, 6, 1)
      expect(host.next(noon, at)).toBe(noon.next(at, 'Europe/Paris'))
    }
  })

  it('asks the clock no more for what it has found', () => {
    let asked = 0
    const host = new HostZone(now, (seconds) => {
      asked++
      return clockOf('Europe/Paris')(seconds)
    })
    const before = asked
    for (let minute = 0; minute < 10_000; minute++) {
      for (const cron of expressions.slice(0, 5)) host.next(cron, now + minute * 60_000)
    }
    expect(asked).toBe(before)
  })

  it('holds at the ends of time', () => {
    const everyMinute = parseCron('* * * * *', 'posix')
    for (const at of [-8.64e15, 8.64e15]) {
      const host = new HostZone(at, () => 0)
      expect(host.next(everyMinute, at)).toBe(everyMinute.next(at, utc))
      expect(host.previous(everyMinute, at)).toBe(everyMinute.previous(at, utc))
    }
  })
})
