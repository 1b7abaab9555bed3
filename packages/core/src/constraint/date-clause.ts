import { dayFromCivil, daysInMonth } from '../calendar/civil.js'
import { formatDay } from '../calendar/instant.js'
import type { Clause } from './clause.js'
import type { Piece } from './piece.js'
import { listed, merged, type Ranges } from './ranges.js'

const allowedDate = 'calendar dates such as date=2026-12-24'
const allowedDates = 'ranges of calendar dates such as dates=2026-12-24..2027-01-02'

export function dateClause(values: readonly Piece[]): Clause {
  return clauseOf(
    values.flatMap((piece) => {
      if (piece.text.includes('..')) {
        throw piece.malformed('a range', allowedDate, `dates=${piece.text}`)
      }
      const day = dayOf(piece, allowedDate)
      return [day, day]
    }),
  )
}

export function datesClause(values: readonly Piece[]): Clause {
  return clauseOf(values.flatMap(pairOf))
}

function pairOf(piece: Piece): number[] {
  const ends = piece.split('..')
  const [from, to] = ends
  if (from === undefined || to === undefined || ends.length > 2) {
    throw piece.malformed('not a range of dates', allowedDates)
  }
  const first = dayOf(from, allowedDates)
  const last = dayOf(to, allowedDates)
  if (first > last) {
    const proposal = `dates=${formatDay(last)}..${formatDay(first)}`
    throw piece.malformed('the range goes backwards', allowedDates, proposal)
  }
  return [first, last]
}

function dayOf(piece: Piece, allowed: string): number {
  if (!/^\d{4}-\d\d-\d\d$/.test(piece.text)) throw piece.malformed('not a date', allowed)
  const year = Number(piece.text.slice(0, 4))
  const month = Number(piece.text.slice(5, 7))
  const day = Number(piece.text.slice(8))
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw piece.malformed('no such day', allowed)
  }
  return dayFromCivil(year, month, day)
}

/** `date=` while no two days touch, `dates=` otherwise: one text whatever it was written as. */
function clauseOf(pairs: readonly number[]): Clause {
  const ranges = merged(pairs)
  return { kind: 'date', ranges, text: canonical(ranges) }
}

function canonical(ranges: Ranges): string {
  const range = (first: number, last: number) => `${formatDay(first)}..${formatDay(last)}`
  const scattered = ranges.every((day, index) => index % 2 === 0 || day === ranges[index - 1])
  if (scattered) return `date=${listed(ranges, formatDay, range)}`
  return `dates=${listed(ranges, (day) => range(day, day), range)}`
}
