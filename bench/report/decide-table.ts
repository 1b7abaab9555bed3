import type { DecideResults } from '../cases/decide.ts'
import { duration, percent, rate } from './figures.ts'
import type { Table } from './table.ts'

export function decideTable({ timings, missing }: DecideResults): Table {
  return {
    title: 'decide: compiled decisions on one core',
    head: ['decision', 'zone', 'one', 'a second', 'median over best'],
    rows: timings.map(({ label, zone, bestNs, medianNs }) => [
      label,
      zone,
      duration(bestNs),
      rate(bestNs),
      percent(medianNs / bestNs - 1),
    ]),
    notes: missing === undefined ? [] : [`Not measured: ${missing}.`],
  }
}
