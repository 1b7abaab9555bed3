import { grouped } from '../../report/figures.ts'
import type { Table } from '../../report/table.ts'
import { betterOf } from '../measurement.ts'
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
  const late = betterOf(figures.lateness)
  return [
    contender,
    version,
    seconds(figures.registerMs),
    bytes(figures.addedBytes / tasks),
    bytes(figures.wholeBytes / tasks),
    bytes(figures.addedAfterRunsBytes / tasks),
    megabytes(figures.residentBytes),
    share(late?.started ?? 0, dueTasks),
    milliseconds(late?.firstMs ?? Number.NaN),
    milliseconds(late?.medianMs ?? Number.NaN),
    milliseconds(late?.lastMs ?? Number.NaN),
    figures.boundaryProcessorMs === null ? '-' : seconds(figures.boundaryProcessorMs),
    processorShare(figures.restShare),
    processorShare(figures.othersShare),
  ]
}

/** What the better of two boundaries would hide. */
function notesOf({ contender, dueTasks, outcome }: ContenderResult): string[] {
  if (outcome.kind !== 'measured') return []
  const { lateness, surplusCalls } = outcome.figures
  const notes: string[] = []
  if (lateness.some(({ started }) => started < dueTasks)) {
    const started = lateness.map((each) => grouped(each.started)).join(' and ')
    notes.push(`${contender} started ${started} of ${grouped(dueTasks)}.`)
  }
  if (surplusCalls > 0) {
    notes.push(`${contender} made ${grouped(surplusCalls)} calls that were not due.`)
  }
  return notes
}
