import { formatInstant, parseInstant } from '../src/calendar/instant.js'
import type { Cron } from '../src/cron/cron.js'
import type { Zone } from '../src/zone/index.js'

/** All matches of [from, to), found by `next`; one that does not advance ends the search. */
export function forwards(cron: Cron, zone: Zone | string, from: number, to: number): number[] {
  const found: number[] = []
  let at = from - 1
  for (let next = cron.next(at, zone); next !== null && next < to; next = cron.next(at, zone)) {
    found.push(next)
    if (next <= at) break
    at = next
  }
  return found
}

/** The same matches, in the same order, found by `previous`. */
export function backwards(cron: Cron, zone: Zone | string, from: number, to: number): number[] {
  const found: number[] = []
  let at = to - 1
  for (
    let previous = cron.previous(at, zone);
    previous !== null && previous >= from;
    previous = cron.previous(at, zone)
  ) {
    found.push(previous)
    if (previous > at) break
    at = previous - 1
  }
  return found.reverse()
}

type Search = typeof forwards

/** The matches from one RFC 3339 time to another, both included. */
export function matchesBetween(
  search: Search,
  cron: Cron,
  zone: string,
  from: string,
  to: string,
): string[] {
  return search(cron, zone, parseInstant(from), parseInstant(to) + 1).map(formatInstant)
}
