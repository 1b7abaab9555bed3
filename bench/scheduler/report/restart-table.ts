import { grouped } from '../../report/figures.ts'
import type { Table } from '../../report/table.ts'
import type { Outcome } from '../measurement.ts'
import type { Results } from '../results.ts'
import { megabytes, seconds } from './figures.ts'

/** Those who keep state, with nothing there and with what a process before has left. */
export function restartTable({ entries }: Results): Table | null {
  const restarted = entries.filter(({ restart }) => restart !== undefined)
  if (restarted.length === 0) return null
  return {
    title: 'kron-sqlite: registering with and without state',
    head: ['tasks', 'nothing stored', 'state of before', 'database'],
    rows: restarted.map(({ tasks, outcome, restart, databaseBytes }) => [
      grouped(tasks),
      registering(outcome),
      registering(restart!),
      megabytes(databaseBytes ?? 0),
    ]),
    notes: [],
  }
}

function registering(outcome: Outcome): string {
  if (outcome.kind === 'failed') return outcome.reason
  return seconds(outcome.kind === 'too late' ? outcome.registerMs : outcome.figures.registerMs)
}
