import { describe, expect, it } from 'vitest'
import { backwards, forwards } from '../../test/matches-of.js'
import { type NaiveCron, naiveCron } from '../../test/naive-cron.js'
import { minuteStarts, type WallClock, wallClock } from '../../test/naive-walk.js'
import { type NaiveZone, naiveZone, naiveZoneNamesWithoutAliases } from '../../test/naive-zone.js'
import { formatInstant } from '../calendar/instant.js'
import { type Zone, zone } from '../zone/index.js'
import type { Cron } from './cron.js'
import { parseCron } from './parse.js'

const from1970 = 0
const to2037 = Date.UTC(2038, 0, 1) / 1000
const hour = 3600
const maxShown = 5

const expressions: readonly { cron: Cron; naive: NaiveCron }[] = [
  '* * * * *',
  '*/5 * * * *',
  '7-59/13 * * * *',
  '0 * * * *',
  '30 * * * *',
  '59 * * * *',
  '0 0 * * *',
  '1 0 * * *',
  '59 23 * * *',
  '0,30 1 * * *',
  '30 2 * * *',
  '15 1-3 * * *',
  '0 */3 * * *',
  '*/10 0,23 * * *',
  '0 12 * * *',
  '0 2,3 * MAR-APR,OCT,NOV SUN',
  '5 * * * 0,6',
  '20 1 */2 * *',
  '0 0 1,30,31 * 6',
  '45 * 25-31 3-11 MON',
].map((expression) => ({ cron: parseCron(expression), naive: naiveCron(expression) }))

interface Tick extends WallClock {
  readonly instant: number
}

function tickAt(at: NaiveZone, second: number): Tick {
  const { dayNumber, hours, minutes, seconds } = wallClock(at, second)
  return { instant: second * 1000, dayNumber, hours, minutes, seconds }
}

function stretchAround(at: NaiveZone, change: number): { from: number; to: number } {
  const shift = Math.abs(at.offsetAt(change) - at.offsetAt(change - 1))
  const reach = shift > 12 * hour ? 26 * hour : 3 * hour
  const minute = Math.floor(change / 60) * 60
  return { from: minute - reach, to: minute + reach }
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

const shown = (instants: readonly number[]): string => instants.map(formatInstant).join(' ')

function problemsAround(source: NaiveZone, at: Zone, change: number): string[] {
  const { from, to } = stretchAround(source, change)
  const ticks = minuteStarts(source, from, to).map((second) => tickAt(source, second))
  const days = [...new Set(ticks.map((tick) => tick.dayNumber))]
  const found: string[] = []
  for (const { cron, naive } of expressions) {
    const matchingDays = new Set(days.filter((day) => naive.matchesDay(day)))
    const expected: number[] = []
    for (const { dayNumber, hours, minutes, seconds, instant } of ticks) {
      const isMatch = matchingDays.has(dayNumber) && naive.matchesTime(hours, minutes, seconds)
      if (isMatch) expected.push(instant)
    }
    for (const search of [forwards, backwards]) {
      const got = search(cron, at, from * 1000, to * 1000)
      if (isSame(got, expected)) continue
      const where = `"${cron.expression}" in ${at.name} around ${formatInstant(change * 1000)}`
      found.push(`${where} ${search.name}: expected ${shown(expected)}, got ${shown(got)}`)
    }
  }
  return found
}

describe('around every change of a clock from 1970 to 2037', () => {
  const names = naiveZoneNamesWithoutAliases()
  const regions = [...new Set(names.map((name) => name.split('/')[0]!))]

  it.each(regions)('next and previous pass each existing minute once, in %s', (region) => {
    const found: string[] = []
    for (const name of names.filter((each) => each.split('/')[0] === region)) {
      const source = naiveZone(name)
      for (const change of source.changes) {
        if (change < from1970 || change >= to2037) continue
        found.push(...problemsAround(source, zone(name), change))
        if (found.length >= maxShown) break
      }
    }
    expect(found.slice(0, maxShown)).toEqual([])
  })
})
