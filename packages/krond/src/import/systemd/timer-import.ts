import { basename, dirname, join } from 'node:path'
import type { FileSource } from '@kron/command'
import { ConfigurationError, KronError, quote, quotePath } from '@kron/core'
import { free } from '../../crontab/index.js'
import { compileSchedule, type LineField, readText } from '../../krontab/index.js'
import { type ImportedFile, type ImportedJob, leftOutComment } from '../imported-file.js'
import { calendarOf } from './on-calendar.js'
import { serviceFields } from './service-fields.js'
import { type TimerSettings, timerSchedule, timeSpan } from './timer-schedule.js'
import { type UnitEntry, UnitFile, UnitNotes, unitSectionComments } from './unit-file.js'

type Line = ImportedFile['lines'][number]

/** Triggers that count from an event and not by the calendar. */
const relative = new Set(
  'OnActiveSec OnBootSec OnStartupSec OnUnitActiveSec OnUnitInactiveSec'
    .concat(' OnClockChange OnTimezoneChange')
    .split(' '),
)

/** Read elsewhere, or about how systemd itself keeps timers. */
const silent = new Set([
  'OnCalendar',
  'Persistent',
  'RandomizedDelaySec',
  'Unit',
  'RemainAfterElapse',
])

/** What stays the same, or is mentioned: see the table in the documentation. */
const remarks: Readonly<Record<string, string>> = {
  FixedRandomDelay: 'FixedRandomDelay has no counterpart: the delay is another one in each period',
  AccuracySec: 'AccuracySec is not needed: krond starts in the chosen second',
  WakeSystem: 'WakeSystem is not converted: krond wakes no machine',
  RandomizedOffsetSec: 'RandomizedOffsetSec is not converted, @win(after,...) may serve',
}

/** A timer of systemd and the service beside it as lines of a krontab. */
export function importedTimer(
  path: string,
  files: FileSource,
  timezone: string,
  taken: Set<string>,
): ImportedFile {
  const notes = new UnitNotes()
  const timer = readUnit(path, files)
  const lines: Line[] = unitSectionComments(timer, notes)
  if (!timer.has('Timer')) notes.refuse(timer, null, 'not a timer: there is no [Timer] section')
  for (const entry of timer.entries('Timer')) {
    if (relative.has(entry.key)) {
      const reason = `${entry.key} counts from an event, krond runs by the clock`
      notes.note(timer, entry, `not converted: ${reason}`)
      lines.push(leftOutComment(reason, entry.source))
    } else if (!silent.has(entry.key)) {
      notes.note(timer, entry, remarks[entry.key] ?? `${entry.key} is not converted`)
    }
  }
  const calendars = timer.all('Timer', 'OnCalendar')
  if (calendars.length > 0) {
    const settings = settingsOf(timer, timezone, notes)
    const service = readUnit(servicePath(timer), files)
    lines.push(...unitSectionComments(service, notes))
    const fields = serviceFields(service, notes)
    if (typeof fields === 'string') notes.refuse(service, null, `not converted: ${fields}`)
    else {
      for (const entry of calendars) {
        lines.push(calendarLine(timer, entry, settings, fields, notes, taken))
      }
    }
  }
  return { lines, problems: notes.problems, notices: notes.notices }
}

function readUnit(path: string, files: FileSource): UnitFile {
  const text = readText(path, files)
  if (typeof text === 'string') return new UnitFile(path, text)
  const message = text.problems[0]?.message ?? `can't read ${quotePath(path)}`
  throw new ConfigurationError('KRON_FILE_UNREADABLE', message, { field: 'file', value: path })
}

function servicePath(timer: UnitFile): string {
  const named = timer.last('Timer', 'Unit')?.value
  const usual = basename(timer.path).replace(/\.timer$/, '.service')
  return join(dirname(timer.path), named === undefined ? usual : basename(named))
}

function settingsOf(timer: UnitFile, timezone: string, notes: UnitNotes): TimerSettings {
  const delay = timer.last('Timer', 'RandomizedDelaySec')
  const span = delay === undefined ? 0 : timeSpan(delay.value)
  if (delay !== undefined && (span === null || span === Number.POSITIVE_INFINITY)) {
    notes.refuse(timer, delay, `RandomizedDelaySec must be a time span, got ${quote(delay.value)}`)
  }
  const persistent = timer.last('Timer', 'Persistent')?.value ?? ''
  return {
    timezone,
    randomDelayMs: span === null || span === Number.POSITIVE_INFINITY ? 0 : span,
    persistent: /^(?:yes|true|on|1|y|t)$/i.test(persistent),
  }
}

function calendarLine(
  timer: UnitFile,
  entry: UnitEntry,
  settings: TimerSettings,
  fields: readonly LineField[],
  notes: UnitNotes,
  taken: Set<string>,
): Line {
  const calendar = calendarOf(entry.value)
  if (calendar.kind !== 'calendar') {
    const { kind, reason } = calendar
    if (kind === 'invalid') notes.refuse(timer, entry, `OnCalendar can't be read: ${reason}`)
    else notes.note(timer, entry, `not converted: ${reason}`)
    return leftOutComment(reason, entry.source)
  }
  const { schedule, cut } = timerSchedule(calendar, settings)
  if (cut) {
    const message = 'RandomizedDelaySec is shortened: longer windows of this schedule would overlap'
    notes.note(timer, entry, message)
  }
  try {
    const name = free(nameOf(timer.path), taken)
    const job = compileSchedule(schedule, `${timer.path}:${name}`)
    const place = { file: timer.path, line: entry.line }
    return { kind: 'job', name, schedule, fields, job, place } satisfies ImportedJob
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    notes.note(timer, entry, `not converted: ${error.message}`)
    return leftOutComment(error.message, entry.source)
  }
}

function nameOf(path: string): string {
  const name = basename(path)
    .replace(/\.timer$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name || 'timer'
}
