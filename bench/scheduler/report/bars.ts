import { grouped } from '../../report/figures.ts'
import type { Table } from '../../report/table.ts'
import { sqliteName } from '../contenders/index.ts'
import type { Measured } from '../measurement.ts'
import { entryOf, type Results } from '../results.ts'
import { bytes, milliseconds, seconds } from './figures.ts'

interface Bar {
  readonly name: string
  readonly tasks: number
  readonly below: number
  readonly show: (value: number) => string
  readonly of: (figures: Measured) => number
}

const due = 100_000

const bars: readonly Bar[] = [
  {
    name: '1,000,000 tasks registered in under 10 s',
    tasks: 1_000_000,
    below: 10_000,
    show: seconds,
    of: ({ registerMs }) => registerMs,
  },
  ...[100_000, 1_000_000].map((tasks) => ({
    name: `100,000 of ${grouped(tasks)} started within 2 s, with durable start records`,
    tasks,
    below: 2000,
    show: milliseconds,
    of: lastOfAll,
  })),
  ...[100_000, 1_000_000].map((tasks) => ({
    name: `under 500 bytes of heap a task, with ${grouped(tasks)}`,
    tasks,
    below: 500,
    show: bytes,
    of: ({ addedBytes }: Measured) => addedBytes / tasks,
  })),
]

/** Not a number when some have not started at all. */
function lastOfAll({ lateness }: Measured): number {
  return lateness.started === due ? lateness.lastMs : Number.NaN
}

export function barsTable(results: Results): Table {
  const rows = bars.map(({ name, tasks, below, show, of }) => {
    const outcome = entryOf(results, sqliteName, tasks)?.outcome
    if (outcome === undefined) return [name, '-', 'not measured']
    if (outcome.kind !== 'measured') return [name, '-', 'not met']
    const value = of(outcome.figures)
    return [name, show(value), value < below ? 'met' : 'not met']
  })
  return { title: `Bars, of ${sqliteName}`, head: ['bar', 'figure', 'outcome'], rows, notes: [] }
}
