import { formatInstant, type Job, tzdataVersion } from '@kron/core'
import { type Column, type Style, table } from '@kron/runtime'
import {
  changeText,
  formatLocalShort,
  signedDuration,
  wallDate,
  wallMinute,
} from '../local-time/index.js'
import type { NamedJob } from '../named-job.js'
import type { Notation } from '../notation.js'
import type { Upcoming } from './upcoming.js'

export function nextText(
  { name, job, schedule }: NamedJob,
  found: Upcoming,
  notation: Notation,
  style: Style,
): string[] {
  const inUtc = job.spec.timezone === 'UTC'
  const { periods } = found
  const marked = periods.some(({ clock, superseded }) => clock !== null || superseded)
  const columns: Column[] = [
    { title: 'nominal (UTC)' },
    { title: 'chosen (UTC)' },
    { title: 'delay', align: 'right' },
    ...(inUtc ? [] : [{ title: 'chosen (local)' }]),
    ...(marked ? [{ title: 'clock' }] : []),
  ]
  const rows = periods.map(({ nominal, through, chosen, superseded, clock }) => [
    formatInstant(nominal),
    chosen === null ? style('warning', passedOverText(nominal, through)) : formatInstant(chosen),
    chosen === null ? '-' : signedDuration((chosen - nominal) / 1000),
    ...(inUtc ? [] : [chosen === null ? '-' : formatLocalShort(chosen, job.zone)]),
    ...(marked ? [style('warning', noteOf(clock, superseded))] : []),
  ])
  return [
    style('strong', name === null ? schedule : `${name}  ${schedule}`),
    style('faint', `${job.spec.timezone}, tzdata ${tzdataVersion}`),
    '',
    ...(rows.length === 0 ? ['no periods'] : table(columns, rows, (text) => style('faint', text))),
    ...noteLines(job, found, notation),
  ]
}

function passedOverText(nominal: number, through: number | null): string {
  if (through === nominal) return 'unschedulable'
  return through === null
    ? 'unschedulable from here on'
    : `unschedulable to ${formatInstant(through)}`
}

const noteOf = (clock: string | null, superseded: boolean): string =>
  [clock ?? '', superseded ? 'superseded' : ''].filter(Boolean).join(', ')

function noteLines(job: Job, { skipped, periods }: Upcoming, notation: Notation): string[] {
  const notes = skipped.map(({ first, last, change }) => {
    const times = first === last ? wallMinute(first) : `${wallMinute(first)} to ${wallMinute(last)}`
    return `no period on ${wallDate(first)} at ${times}: the clock goes ${changeText(change)}`
  })
  if (periods.some(({ chosen }) => chosen === null)) {
    const asked = `${notation.program} explain`
    notes.push(`unschedulable: no time satisfied the constraints; ${asked} says why`)
  }
  if (periods.some(({ superseded }) => superseded)) {
    notes.push('superseded: the next period begins before the chosen time, this one is skipped')
  }
  if (job.policy.suspend) notes.push(`suspended: nothing runs until ${notation.resumed}`)
  return notes.length === 0 ? [] : ['', ...notes]
}
