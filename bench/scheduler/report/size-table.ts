import { grouped } from '../../report/figures.ts'
import type { Table } from '../../report/table.ts'
import type { ContenderResult, Results } from '../results.ts'
import { bytes, megabytes, milliseconds, processorShare, seconds, share } from './figures.ts'

const head = [
  'scheduler',
  'version',
  'register',
  'a task',
  'with its own',
  'after runs',
  'resident',
  'started',
  'first',
  'median',
  'last',
  'processor',
  'at rest',
  'others',
]

export function sizeTable({ entries }: Results, tasks: number): Table {
  const measured = entries.filter((entry) => entry.tasks === tasks)
  const due = measured[0]?.dueTasks ?? tasks
  return {
    title:
      `${grouped(tasks)} tasks, ` +
      (due === tasks ? 'all due at one minute' : `${grouped(due)} of them due at one minute`),
    head,
    rows: measured.map(rowOf),
    notes: measured.flatMap(notesOf),
  }
}

function rowOf({ contender, version, tasks, dueTasks, outcome }: ContenderResult): string[] {
  if (outcome.kind !== 'measured') {
    const reason = outcome.kind === 'failed' ? outcome.reason : 'missed the minute'
    return [contender, version, reason, ...head.slice(3).map(() => '-')]
  }
  const { figures } = outcome
  const { lateness } = figures
  return [
    contender,
    version,
    seconds(figures.registerMs),
    bytes(figures.addedBytes / tasks),
    bytes(figures.wholeBytes / tasks),
    bytes(figures.addedAfterRunsBytes / tasks),
    megabytes(figures.residentBytes),
    share(lateness.started, dueTasks),
    milliseconds(lateness.firstMs),
    milliseconds(lateness.medianMs),
    milliseconds(lateness.lastMs),
    figures.boundaryProcessorMs === null ? '-' : seconds(figures.boundaryProcessorMs),
    processorShare(figures.restShare),
    processorShare(figures.othersShare),
  ]
}

/** Starts that are missing, or that nobody asked for. */
function notesOf({ contender, dueTasks, outcome }: ContenderResult): string[] {
  if (outcome.kind !== 'measured') return []
  const { lateness, surplusCalls } = outcome.figures
  const notes: string[] = []
  if (lateness.started < dueTasks) {
    notes.push(`${contender} started ${grouped(lateness.started)} of ${grouped(dueTasks)}.`)
  }
  if (surplusCalls > 0) {
    notes.push(`${contender} made ${grouped(surplusCalls)} calls that were not due.`)
  }
  return notes
}
