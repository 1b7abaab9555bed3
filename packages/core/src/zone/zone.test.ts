import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveZone, naiveZoneNames } from '../../test/naive-zone.js'
import { utc, Zone, zone, zoneNames } from './index.js'

/** What a look-up answers without buckets: try one segment after the other. */
function segmentByTrying(starts: readonly number[], seconds: number): number {
  let found = 0
  for (let index = 1; index < starts.length; index++) if (starts[index]! <= seconds) found = index
  return found
}

describe('the offset of a zone', () => {
  it.each(
    naiveZoneNames()
      .map((name) => name.split('/')[0]!)
      .filter(isFirst),
  )('is that of moment-timezone around every transition in %s', (region) => {
    for (const name of naiveZoneNames().filter((each) => each.split('/')[0] === region)) {
      const source = naiveZone(name)
      const found = zone(name)
      expect(found.name).toBe(name)
      expect([...found.starts].slice(1), name).toEqual(source.changes)
      const seconds = source.changes.flatMap((at) => [at - 1, at, at + 1])
      seconds.push(-8.64e12, 0, 8.64e12)
      const expected = seconds.map((second) => source.offsetAt(second) + 0)
      expect(
        seconds.map((second) => found.offsetAt(second)),
        name,
      ).toEqual(expected)
    }
  })

  it('changes at whole seconds, to another offset, in order', () => {
    for (const name of zoneNames()) {
      const { starts, offsets } = zone(name)
      expect(starts[0]).toBe(Number.NEGATIVE_INFINITY)
      expect(offsets.length).toBe(starts.length)
      const isSound = (start: number, index: number): boolean =>
        Number.isInteger(start) &&
        start > starts[index]! &&
        offsets[index + 1] !== offsets[index] &&
        Math.abs(offsets[index + 1]!) < 86_400
      expect(starts.slice(1).every(isSound), name).toBe(true)
    }
  })

  it('is known for well-known instants', () => {
    const at = (text: string): number => Date.parse(text) / 1000
    expect(zone('Europe/Paris').offsetAt(at('2026-07-01T00:00:00Z'))).toBe(7200)
    expect(zone('Europe/Paris').offsetAt(at('2026-12-01T00:00:00Z'))).toBe(3600)
    expect(zone('America/New_York').offsetAt(at('2026-03-08T06:59:59Z'))).toBe(-18_000)
    expect(zone('America/New_York').offsetAt(at('2026-03-08T07:00:00Z'))).toBe(-14_400)
    expect(zone('Asia/Kathmandu').offsetAt(at('2026-01-01T00:00:00Z'))).toBe(20_700)
    expect(zone('Africa/Monrovia').offsetAt(at('1972-01-07T00:44:29Z'))).toBe(-2670)
    expect(zone('Pacific/Apia').offsetAt(at('2011-12-30T10:00:00Z'))).toBe(50_400)
    expect(zone('America/New_York').offsetAt(at('2450-07-01T00:00:00Z'))).toBe(-14_400)
  })
})

function isFirst(value: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(value) === index
}

describe('a look-up through buckets', () => {
  const gap = fc.oneof(
    fc.integer({ min: 1, max: 10 }),
    fc.integer({ min: 1, max: 2 ** 25 }),
    fc.constantFrom(2 ** 24 - 1, 2 ** 24, 2 ** 24 + 1, 2 ** 28),
  )

  it('finds the same segment as trying all of them', () => {
    const first = fc.integer({ min: -(2 ** 33), max: 2 ** 33 })
    fc.assert(
      fc.property(first, fc.array(gap, { maxLength: 30 }), fc.nat(), (start, gaps, extra) => {
        const starts = [Number.NEGATIVE_INFINITY, start]
        for (const each of gaps) starts.push(starts.at(-1)! + each)
        const offsets = Int32Array.from(starts, (_, index) => index * 60)
        const found = new Zone('test', { starts: Float64Array.from(starts), offsets })
        const tried = starts.slice(1).flatMap((at) => [at - 1, at, at + 1, at + extra, at - extra])
        for (const seconds of tried) {
          const expected = segmentByTrying(starts, seconds)
          expect(found.segmentAt(seconds)).toBe(expected)
          expect(found.offsetAt(seconds)).toBe(expected * 60)
          const next = starts[expected + 1] ?? Number.POSITIVE_INFINITY
          expect(found.nextTransition(seconds)).toBe(next)
        }
      }),
      { numRuns: 1000, seed: 24 },
    )
  })

  it('finds the same segment in real zones, at any instant', () => {
    const names = zoneNames()
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.oneof(
          fc.integer({ min: -(2 ** 33), max: 2 ** 35 }),
          fc.integer({ min: -8.64e12, max: 8.64e12 }),
        ),
        (name, seconds) => {
          const found = zone(name)
          expect(found.segmentAt(seconds)).toBe(segmentByTrying([...found.starts], seconds))
        },
      ),
      { numRuns: 5000, seed: 24 },
    )
  })

  it('needs no bucket in UTC', () => {
    for (const each of [utc, zone('UTC'), zone('Etc/UTC')]) {
      expect(each.segmentAt(-8.64e12)).toBe(0)
      expect(each.segmentAt(8.64e12)).toBe(0)
      expect(each.offsetAt(0)).toBe(0)
      expect(each.nextTransition(0)).toBe(Number.POSITIVE_INFINITY)
    }
  })
})
