import type { SourceZone } from './source.ts'

/** "The first `weekday` on or after day `from` of `month`, at `wallSecond` of the clock so far." */
export interface YearlyChange {
  readonly month: number
  readonly from: number
  readonly weekday: number
  readonly wallSecond: number
  readonly offset: number
}

export interface YearlyRule {
  readonly firstYear: number
  readonly lastYear: number
  readonly changes: readonly [YearlyChange, YearlyChange]
}

interface WallChange {
  readonly index: number
  readonly year: number
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly second: number
  readonly offset: number
}

/**
 * Finds the rule by which a zone changes twice a year to the end of the data, and the first year
 * from which it holds without exception. Whatever is not exactly so stays explicit.
 */
export function findYearlyRule(zone: SourceZone): { rule: YearlyRule; explicit: number } | null {
  const changes = wallChanges(zone)
  const last = changes.at(-1)
  if (last === undefined || last.year < 2400) return null
  let first = changes.length
  while (first >= 2 && isYear(changes[first - 2]!, changes[first - 1]!)) {
    const candidate = ruleOf(changes.slice(first - 2))
    if (candidate === null) break
    first -= 2
  }
  const rule = ruleOf(changes.slice(first))
  return rule === null ? null : { rule, explicit: first }
}

const isYear = (a: WallChange, b: WallChange): boolean => a.year === b.year

function ruleOf(changes: readonly WallChange[]): YearlyRule | null {
  if (changes.length < 2 || changes.length % 2 !== 0) return null
  const spring = changeOf(changes.filter((_, index) => index % 2 === 0))
  const autumn = changeOf(changes.filter((_, index) => index % 2 === 1))
  if (spring === null || autumn === null) return null
  return {
    firstYear: changes[0]!.year,
    lastYear: changes.at(-1)!.year,
    changes: [spring, autumn],
  }
}

function changeOf(changes: readonly WallChange[]): YearlyChange | null {
  const { month, weekday, second, offset } = changes[0]!
  const from = Math.min(...changes.map((change) => change.day))
  const same = changes.every(
    (change, index) =>
      change.month === month &&
      change.weekday === weekday &&
      change.second === second &&
      change.offset === offset &&
      change.day < from + 7 &&
      change.year === changes[0]!.year + index,
  )
  return same ? { month, from, weekday, wallSecond: second, offset } : null
}

function wallChanges(zone: SourceZone): WallChange[] {
  return zone.untils.slice(0, -1).map((until, index) => {
    const wall = new Date((until + zone.offsets[index]!) * 1000)
    return {
      index,
      year: wall.getUTCFullYear(),
      month: wall.getUTCMonth() + 1,
      day: wall.getUTCDate(),
      weekday: wall.getUTCDay(),
      second: wall.getUTCHours() * 3600 + wall.getUTCMinutes() * 60 + wall.getUTCSeconds(),
      offset: zone.offsets[index + 1]!,
    }
  })
}
