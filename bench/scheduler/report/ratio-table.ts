import { grouped, ratio } from '../../report/figures.ts'
import type { Table } from '../../report/table.ts'
import { memoryName, sqliteName } from '../contenders/index.ts'
import type { Measured } from '../measurement.ts'
import { entryOf, type Results } from '../results.ts'

type Figure = (figures: Measured, dueTasks: number) => number

/** Who leaves tasks out has no last start. */
const lastStart: Figure = ({ lateness }, dueTasks) =>
  lateness.started === dueTasks ? lateness.lastMs : Number.NaN

const figuresCompared: readonly (readonly [string, Figure])[] = [
  ['register', ({ registerMs }) => registerMs],
  ['bytes', ({ addedBytes }) => addedBytes],
  ['last start', lastStart],
]

/** How many times as much of each as Kron, with and without durable records. */
export function ratioTable(results: Results, tasks: number): Table | null {
  const figuresOf = (contender: string): Measured | null => {
    const outcome = entryOf(results, contender, tasks)?.outcome
    return outcome?.kind === 'measured' ? outcome.figures : null
  }
  const ours = [sqliteName, memoryName].filter((name) => figuresOf(name) !== null)
  const others = results.entries.filter(
    (entry) => entry.tasks === tasks && entry.outcome.kind === 'measured',
  )
  if (ours.length === 0 || others.length <= ours.length) return null
  return {
    title: `${grouped(tasks)} tasks: times as much as Kron`,
    head: [
      'scheduler',
      ...figuresCompared.flatMap(([title]) => ours.map((name) => `${title} / ${name}`)),
    ],
    rows: others.map(({ contender, dueTasks }) => [
      contender,
      ...figuresCompared.flatMap(([, of]) =>
        ours.map((name) =>
          ratio(of(figuresOf(contender)!, dueTasks) / of(figuresOf(name)!, dueTasks)),
        ),
      ),
    ]),
    notes: [],
  }
}
