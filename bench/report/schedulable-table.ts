import type { SchedulableResults } from '../cases/schedulable.ts'
import { duration, grouped, ratio } from './figures.ts'
import type { Table } from './table.ts'

export function schedulableTable({ timings }: SchedulableResults): Table {
  return {
    title: 'schedulable: the next period that can run, asked on a Friday at 17:59',
    head: ['schedule', 'first, cold', 'one, warm', 'passed over', 'period by period takes'],
    rows: timings.map(({ schedule, coldNs, bestNs, passed, walkNs }) => [
      `\`${schedule}\``,
      duration(coldNs),
      duration(bestNs),
      passed === null ? 'over 1,000,000' : grouped(passed),
      walkNs === null ? '-' : ratio(walkNs / bestNs),
    ]),
    notes: [],
  }
}
