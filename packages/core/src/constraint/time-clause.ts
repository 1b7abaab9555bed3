import { twoDigit } from '../calendar/instant.js'
import type { Clause } from './clause.js'
import type { Piece } from './piece.js'
import { listed, merged, type Ranges } from './ranges.js'

export const minutesPerDay = 1440
const allowed = 'times from 00:00 to 23:59 such as between=22:00-06:00'

/** `between=`: both minutes are included whole, and a range past midnight wraps. */
export function timeClause(values: readonly Piece[]): Clause {
  const ranges = merged(values.flatMap(pairsOf))
  return { kind: 'between', ranges, text: `between=${canonical(ranges)}` }
}

export const clockRange = (first: number, last: number): string => `${clock(first)}-${clock(last)}`

const rangeOfTimes = /^(\d{1,2}:\d\d)(\s*-\s*)(\d{1,2}:\d\d)$/

function pairsOf(piece: Piece): number[] {
  const match = rangeOfTimes.exec(piece.text)
  if (match === null) throw piece.malformed('not a range of times', allowed)
  const [, from, dash] = match as unknown as [string, string, string]
  const first = minuteOf(piece.part(0, from.length))
  const last = minuteOf(piece.part(from.length + dash.length, piece.text.length))
  return first <= last ? [first, last] : [first, minutesPerDay - 1, 0, last]
}

function minuteOf(piece: Piece): number {
  const hour = Number(piece.text.slice(0, -3))
  const minute = Number(piece.text.slice(-2))
  if (hour === 24 && minute === 0) {
    throw piece.malformed('a day ends with its last minute', allowed, '23:59')
  }
  if (hour > 23 || minute > 59) throw piece.malformed('no such time', allowed)
  return hour * 60 + minute
}

/** A range that reaches midnight and one that begins there are written as one, past midnight. */
function canonical(ranges: Ranges): string {
  const wraps = ranges.length > 2 && ranges[0] === 0 && ranges.at(-1) === minutesPerDay - 1
  const shown = wraps ? [...ranges.slice(2, -1), ranges[1]!] : ranges
  return listed(shown, (minute) => clockRange(minute, minute), clockRange)
}

const clock = (minute: number): string => `${twoDigit((minute / 60) | 0)}:${twoDigit(minute % 60)}`
