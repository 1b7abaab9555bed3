import { createHash } from 'node:crypto'
import { formatDuration, InvalidCronExpressionError, parseCron } from '@kron/core'
import { listOf, type Pick, readTimeField, type TimeSet, timeFields } from './time-field.js'

const macros = new Set('@hourly @daily @midnight @weekly @monthly @yearly @annually'.split(' '))

/**
 * Cron starts a job even if its last run is still going, and somewhere within the minute rather
 * than in its first second.
 */
const cronPolicy = '@policy(concurrency=allow,deadline=1m)'

export interface EntrySchedule {
  /** Words of the line: one macro or five fields. */
  readonly times: readonly string[]
  readonly timezone: string
  /** Cronie's RANDOM_DELAY in minutes, or 0. */
  readonly delayMinutes: number
  readonly identity: string
}

/** The krontab schedule that runs when cron does, and what of the entry it can't say. */
export function scheduleOfEntry(entry: EntrySchedule): { schedule: string; notes: string[] } {
  const { times, timezone, delayMinutes, identity } = entry
  const macro = times.length === 1 ? times[0] : undefined
  if (macro !== undefined) checkMacro(macro)
  const { cron, only } =
    macro === undefined ? fieldsText(times, identity) : { cron: macro, only: '' }
  const window = delayMinutes > 0 && only === '' ? windowOf(cron, delayMinutes) : 0
  const parts = [
    cron,
    timezone === 'UTC' ? '' : `@tz(${timezone})`,
    window > 0 ? `@win(after,${formatDuration(window)})` : '',
    cronPolicy,
    only === '' ? '' : `@only(${only})`,
  ]
  const notes = [
    ...(times.some((text) => text.includes('~'))
      ? [`~ becomes a value that is chosen once, from the identity of the job: ${cron}`]
      : []),
    ...(window < delayMinutes * minute
      ? [`RANDOM_DELAY=${delayMinutes} is shortened: longer windows of this schedule would overlap`]
      : []),
  ]
  return { schedule: parts.filter(Boolean).join(' '), notes }
}

function checkMacro(macro: string): void {
  if (macros.has(macro)) return
  const known = ['@reboot', ...macros].join(' ')
  const reason = `is the unknown macro "${macro}" (known are ${known})`
  throw new InvalidCronExpressionError(macro, 'schedule', reason, macro, 0)
}

function fieldsText(times: readonly string[], identity: string): { cron: string; only: string } {
  const text = times.join(' ')
  let offset = 0
  const sets = timeFields.map((field, index) => {
    const written = times[index]!
    const within = { text, offset }
    offset += written.length + 1
    return readTimeField(written, field, picker(identity, field.name), within)
  })
  const [minutes, hours, day, month, weekday] = sets as [
    TimeSet,
    TimeSet,
    TimeSet,
    TimeSet,
    TimeSet,
  ]
  const days = dayText(day, weekday)
  const cron = [minutes.text, hours.text, days.day, month.text, days.weekday].join(' ')
  return { cron, only: days.only }
}

/** Draws for one field of one job, in order, from a hash. */
function picker(identity: string, field: string): Pick {
  let drawn = 0
  return (choices) => {
    const hash = createHash('sha256').update([identity, field, drawn++].join('\n'))
    return hash.digest().readUInt32BE(0) % choices
  }
}

const minute = 60_000

/** As long as it may be: windows of neighbouring periods must not overlap. */
function windowOf(cron: string, delayMinutes: number): number {
  return Math.min(delayMinutes * minute, parseCron(cron).smallestGap() * 1000)
}

/** The day fields of a krontab schedule, and the clause that they may need. */
export interface DayText {
  readonly day: string
  readonly weekday: string
  /** `dow=MON`: a condition that the two fields can't express together; or nothing. */
  readonly only: string
}

/**
 * Cron takes a day if *both* day fields match as soon as one of them begins with `*`, also with
 * `*` and a step; otherwise if *either* does. A krontab schedule takes either whenever neither of
 * them is a plain `*`, so "both" becomes one field and a condition on the chosen day.
 */
function dayText(day: TimeSet, weekday: TimeSet): DayText {
  const either = !day.star && !weekday.star
  return either ? { day: day.text, weekday: weekday.text, only: '' } : bothDays(day, weekday)
}

/** Days that both fields match. */
export function bothDays(day: TimeSet, weekday: TimeSet): DayText {
  if (day.text === '*' || weekday.text === '*') {
    return { day: day.text, weekday: weekday.text, only: '' }
  }
  // The field with fewer days gives the periods, so that few of them are rejected.
  if (day.values.length / 31 < weekday.values.length / 7) {
    return { day: day.text, weekday: '*', only: `dow=${listOf(weekday.values)}` }
  }
  return { day: '*', weekday: weekday.text, only: `dom=${listOf(day.values)}` }
}
