import { randomFrom } from '../random.ts'
import type { ZoneName } from './expressions.ts'

const firstMs = Date.UTC(2025, 0, 1)
const lastMs = Date.UTC(2029, 11, 31)
const minuteMs = 60_000

/** A chain that gets here starts again: some peers search only a few years ahead of today. */
export const horizonMs = Date.UTC(2032, 0, 1)

/** Whole milliseconds anywhere in five years, the same in every run. */
export function scatteredInstants(count: number, seed = 20_261_115): Float64Array {
  const random = randomFrom(seed)
  return Float64Array.from({ length: count }, () =>
    Math.floor(firstMs + random() * (lastMs - firstMs)),
  )
}

/** Written down instead of looked up, so that no contender's database is trusted with it. */
const clockChanges: Record<ZoneName, readonly string[]> = {
  UTC: [],
  'America/New_York': [
    '2026-03-08T07:00:00Z',
    '2026-11-01T06:00:00Z',
    '2027-03-14T07:00:00Z',
    '2027-11-07T06:00:00Z',
  ],
  'Europe/Paris': [
    '2026-03-29T01:00:00Z',
    '2026-10-25T01:00:00Z',
    '2027-03-28T01:00:00Z',
    '2027-10-31T01:00:00Z',
  ],
}

/** From three hours before to three hours after each of the first changes of the clocks. */
export function instantsAroundClockChanges(zone: ZoneName, changes: number): number[] {
  return clockChanges[zone].slice(0, changes).flatMap((text) => {
    const change = Date.parse(text)
    return Array.from({ length: 25 }, (_, quarter) => change + (quarter - 12) * 15 * minuteMs)
  })
}
