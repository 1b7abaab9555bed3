import { zones } from '../cases/expressions.ts'
import type { Format } from '../option-reader.ts'
import { peers } from '../peers/index.ts'
import type { Results } from '../results.ts'
import { median } from '../statistics.ts'
import { type Bar, barsOf } from './bars.ts'
import { decideTable } from './decide-table.ts'
import { percent } from './figures.ts'
import { heapTable } from './heap-table.ts'
import { nextTable } from './next-table.ts'
import { parseTable } from './parse-table.ts'
import { schedulableTable } from './schedulable-table.ts'
import { asMarkdown, asText, type Table } from './table.ts'

export function render(results: Results, format: Format): string {
  if (format === 'json') {
    return `${JSON.stringify({ ...results, spread: spreadOf(results), bars: barsOf(results) })}\n`
  }
  const asBlock = format === 'markdown' ? asMarkdown : asText
  const blocks = [
    preface(results).join('\n'),
    ...tablesOf(results).map(asBlock),
    asBlock(barsTable(barsOf(results))),
  ]
  return `${blocks.join('\n\n')}\n`
}

function preface(results: Results): string[] {
  const { date, machine, noise, rounds, quick } = results
  const kind = quick ? 'quick run, a look and not a result' : `best of ${rounds} rounds`
  return [
    `${date}, ${kind}. Node ${machine.node} (V8 ${machine.v8}), ${machine.cores} cores of ` +
      `${machine.processor}.`,
    `Time zones: kron ${machine.tzdata.kron}, runtime ${machine.tzdata.runtime}.`,
    `Noise: over ${noise.samples} runs a fixed loop took ${percent(noise.medianOverBest)} more ` +
      `than its best in the median, ${percent(noise.ninetiethOverBest)} at the 90th percentile; ` +
      `the median piece of a measurement took ${percent(spreadOf(results))} more than its best.`,
  ]
}

interface Spread {
  readonly bestNs: number
  readonly medianNs: number
}

/** How far the median piece of a measurement typically lies above its best. */
function spreadOf({ next, parse, decide, schedulable, heap }: Results): number {
  const measured = [next, parse, decide, schedulable, heap]
  const parts: ({ timings: readonly Spread[] } | undefined)[] = measured
  const timings = parts.flatMap((part) => part?.timings ?? [])
  return median(timings.map(({ bestNs, medianNs }) => medianNs / bestNs - 1))
}

function tablesOf({ next, parse, decide, schedulable, heap }: Results): Table[] {
  const tables: Table[] = []
  if (next !== undefined) tables.push(...zones.map((zone) => nextTable(next, zone)))
  if (parse !== undefined) tables.push(parseTable(parse))
  const last = tables.pop()
  if (last !== undefined) tables.push({ ...last, notes: [...last.notes, ...peerNotes()] })
  if (decide !== undefined) tables.push(decideTable(decide))
  if (schedulable !== undefined) tables.push(schedulableTable(schedulable))
  if (heap !== undefined) tables.push(heapTable(heap))
  return tables
}

const peerNotes = (): string[] =>
  peers.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}`]))

function barsTable(bars: readonly Bar[]): Table {
  return {
    title: 'Bars',
    head: ['bar', 'figure', 'outcome'],
    rows: bars.map(({ name, figure, outcome }) => [name, figure, outcome]),
    notes: [],
  }
}
