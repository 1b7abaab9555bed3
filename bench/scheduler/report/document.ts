import type { Format } from '../../option-reader.ts'
import { grouped } from '../../report/figures.ts'
import { asMarkdown, asText, type Table } from '../../report/table.ts'
import { type ContenderResult, type Results, sizesOf } from '../results.ts'
import { barsTable } from './bars.ts'
import { bytes, milliseconds, seconds } from './figures.ts'
import { ratioTable } from './ratio-table.ts'
import { restartTable } from './restart-table.ts'
import { sizeTable } from './size-table.ts'

export function renderScheduler(results: Results, format: Format): string {
  if (format === 'json') return `${JSON.stringify(results)}\n`
  const asBlock = format === 'markdown' ? asMarkdown : asText
  return `${[preface(results), ...tablesOf(results).map(asBlock)].join('\n\n')}\n`
}

function preface({ date, machine, quick, expressions, sqliteFloor }: Results): string {
  const { rows, bestMs, medianMs } = sqliteFloor
  return [
    `${date}${quick ? ', quick run, a look and not a result' : ''}. Node ${machine.node}, ` +
      `${machine.cores} cores of ${machine.processor}; ${grouped(expressions)} expressions.`,
    `SQLite alone: ${grouped(rows)} updates by id in one durable transaction take ` +
      `${milliseconds(bestMs)} at best, ${milliseconds(medianMs)} in the median.`,
  ].join('\n')
}

function tablesOf(results: Results): Table[] {
  const sizes = sizesOf(results)
  return [
    ...sizes.flatMap((tasks) => [sizeTable(results, tasks), ratioTable(results, tasks)]),
    restartTable(results),
    barsTable(results),
  ].filter((table) => table !== null)
}

/** One line for who waits at the terminal. */
export function summaryOf({ tasks, outcome }: ContenderResult): string {
  if (outcome.kind === 'failed') return outcome.reason
  if (outcome.kind !== 'measured') return outcome.kind
  const { registerMs, addedBytes, lateness } = outcome.figures
  const last = milliseconds(lateness.lastMs)
  return `registered in ${seconds(registerMs)}, ${bytes(addedBytes / tasks)} a task, last ${last}`
}
