import { describe, expect, it } from 'vitest'
import { legiblePeriod } from './legible-period.js'

const at = (text: string): number => Date.parse(text)
const [ten, eleven, noon] = [10, 11, 12].map((hour) => `2026-03-01T${hour}:00:00Z`) as [
  string,
  string,
  string,
]
const belief = { once: at(ten), twice: at(eleven) }
const named = (text: string, field = 'PeriodID'): string => `"${field}":"${text}"`
const found = (...files: string[]): number | null =>
  legiblePeriod(
    files.map((text) => Buffer.from(text)),
    belief,
  )

describe('the period that a damaged file still names', () => {
  it.each([
    ['nothing', [''], null],
    ['one place', [named(ten)], ten],
    ['the last handled one', [named(ten, 'LastHandledPeriodID')], ten],
    ['a place with blanks', [`"PeriodID" : "${ten}"`], ten],
    ['one place that is too late', [named('2026-03-01T10:00:01Z')], null],
    ['two places', [named(eleven) + named(eleven)], eleven],
    ['a place of each of two files', [named(eleven), named(eleven)], eleven],
    ['two places that are too late', [named(noon) + named(noon)], null],
    ['two places that differ', [named(eleven) + named(noon)], null],
    ['the latest of several', [named('2026-03-01T09:00:00Z') + named(ten)], ten],
    ['the latest of several, first', [named(ten) + named('2026-03-01T09:00:00Z')], ten],
    ['no date, in two places', [named('2026-02-31T10:00:00Z').repeat(2)], null],
    ['no date, and one', [named('2026-02-31T10:00:00Z') + named(ten)], ten],
    ['another field', [named(ten, 'StartedAt')], null],
    ['a time that is cut', [`"PeriodID":"${ten.slice(0, -1)}"`], null],
  ])('is told by %s', (_, files, text) => {
    expect(found(...files)).toBe(text === null ? null : at(text))
  })
})
