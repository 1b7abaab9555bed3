import { suggestion } from '../errors/index.js'
import type { Clause } from './clause.js'
import type { Piece } from './piece.js'
import { listed, merged, type Ranges } from './ranges.js'
import { clockRange } from './time-clause.js'

interface NumberKind {
  readonly kind: 'hours' | 'dow' | 'dom' | 'months'
  readonly min: number
  readonly max: number
  /** Names of `min`, `min + 1`, ...; none where only numbers are written. */
  readonly names: readonly string[]
  readonly allowed: string
}

const monthNames = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
const weekdayNames = 'MON TUE WED THU FRI SAT SUN'.split(' ')

const hours: NumberKind = {
  kind: 'hours',
  min: 0,
  max: 23,
  names: [],
  allowed: 'hours from 0 to 23 such as hours=8-18',
}
const daysOfMonth: NumberKind = {
  kind: 'dom',
  min: 1,
  max: 31,
  names: [],
  allowed: 'days from 1 to 31 such as dom=1,15',
}
const months: NumberKind = {
  kind: 'months',
  min: 1,
  max: 12,
  names: monthNames,
  allowed: 'months from 1 to 12 or JAN to DEC such as months=JAN-MAR',
}
/** In ISO order, Monday first, so that a weekend is one range; 0 is read as Sunday too. */
const weekdays: NumberKind = {
  kind: 'dow',
  min: 1,
  max: 7,
  names: weekdayNames,
  allowed: 'weekdays from 0 to 7 or SUN to SAT such as dow=MON-FRI',
}

export const numberKinds: Readonly<Record<NumberKind['kind'], NumberKind>> = {
  hours,
  dow: weekdays,
  dom: daysOfMonth,
  months,
}

export function numberClause(kind: NumberKind, values: readonly Piece[]): Clause {
  const ranges = merged(values.flatMap((value) => pairsOf(kind, value)))
  return { kind: kind.kind, ranges, text: canonical(kind, ranges) }
}

const valueOrRange = /^(\w+)(?:(\s*-\s*)(\w+))?$/

function pairsOf(kind: NumberKind, piece: Piece): number[] {
  const match = valueOrRange.exec(piece.text)
  if (match === null) throw piece.malformed('neither a value nor a range', kind.allowed)
  const [, from, dash, to] = match as unknown as [string, string, string?, string?]
  const first = numberOf(kind, piece.part(0, from.length))
  if (to === undefined || dash === undefined) {
    const single = isoSunday(kind, first)
    return [single, single]
  }
  const typedLast = numberOf(kind, piece.part(from.length + dash.length, piece.text.length))
  const closesWeek = kind === weekdays && /^sun$/i.test(to) && first > 0
  const last = closesWeek ? 7 : typedLast
  if (first > last) throw backwards(kind, piece, first, last)
  return first === 0 && kind === weekdays ? weekFromSunday(last) : [first, last]
}

function numberOf(kind: NumberKind, piece: Piece): number {
  const upper = piece.text.toUpperCase()
  const named = kind.names.indexOf(upper)
  // Sunday opens a range unless something comes before it, as in every crontab.
  if (named >= 0) return upper === 'SUN' ? 0 : named + kind.min
  if (!/^\d+$/.test(piece.text)) {
    const hint = suggestion(piece.text, kind.names)
    throw piece.malformed(`unknown name${hint}`, kind.allowed)
  }
  const number = piece.text.length <= 2 ? Number(piece.text) : Number.POSITIVE_INFINITY
  const min = kind === weekdays ? 0 : kind.min
  if (number < min || number > kind.max) throw piece.malformed('out of range', kind.allowed)
  return number
}

const isoSunday = (kind: NumberKind, value: number): number =>
  kind === weekdays && value === 0 ? 7 : value

const weekFromSunday = (last: number): number[] => (last === 0 ? [7, 7] : [7, 7, 1, last])

function backwards(kind: NumberKind, piece: Piece, first: number, last: number): Error {
  const reason = 'the range goes backwards'
  if (kind === hours) {
    const proposal = `between=${clockRange(first * 60, last * 60 + 59)}`
    return piece.malformed(reason, kind.allowed, proposal)
  }
  const untilEnd = [first, kind.max]
  const fromStart = kind === weekdays ? weekFromSunday(last) : [kind.min, last]
  const proposal = canonical(kind, merged([...untilEnd, ...fromStart]))
  return piece.malformed(reason, kind.allowed, proposal)
}

function canonical(kind: NumberKind, ranges: Ranges): string {
  const named = (value: number) => kind.names[value - kind.min] ?? `${value}`
  return `${kind.kind}=${listed(ranges, named, (a, b) => `${named(a)}-${named(b)}`)}`
}
