import { zone } from '@kron/core'
import { bothDays, listOf, type TimeSet } from '../../crontab/index.js'

/** `*`, `1,15`, `8..18`, `0/15`, `5..20/5`: one part of a calendar expression; null if it is not. */
export function calendarPart(text: string, min: number, max: number): TimeSet | null {
  if (text === '*')
    return setOf(
      Array.from({ length: max - min + 1 }, (_, at) => min + at),
      text,
      max - min + 1,
    )
  const values = new Set<number>()
  for (const element of text.split(',')) {
    const match = /^(\d{1,4})(?:\.\.(\d{1,4}))?(?:\/(\d{1,4}))?$/.exec(element)
    if (match === null) return null
    const first = Number(match[1])
    const step = Number(match[3] ?? 1)
    const last = match[2] === undefined ? (match[3] === undefined ? first : max) : Number(match[2])
    const isRepeated = match[3] !== undefined && match[2] === undefined
    if (first < min || last > max || first > last || step < 1) return null
    if (isRepeated && first + step > max) return null
    for (let value = first; value <= last; value += step) values.add(value)
  }
  const from = /^0?(\d)\/(\d+)$/.exec(text)
  const isStep = from !== null && Number(from[1]) === min
  return setOf([...values], isStep ? `*/${Number(from[2])}` : null, max - min + 1)
}

function setOf(values: readonly number[], text: string | null, all: number): TimeSet {
  const sorted = [...values].sort((a, b) => a - b)
  return {
    values: sorted,
    star: false,
    text: sorted.length === all ? '*' : (text ?? listOf(sorted)),
  }
}

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fullNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** `Mon`, `Mon..Fri`, `Sat,Sunday`; the week begins with Monday. null if it is something else. */
export function weekdayPart(text: string): TimeSet | null {
  const values = new Set<number>()
  for (const element of text.replace(/,$/, '').split(',')) {
    const [from, to = from] = element.toLowerCase().split(/\.\.|-/) as [string, string?]
    const [first, last] = [dayNumber(from), dayNumber(to!)]
    if (first === 0 || last === 0 || first > last || /(?:\.\.|-).*(?:\.\.|-)/.test(element))
      return null
    for (let day = first; day <= last; day++) values.add(day % 7)
  }
  return setOf([...values], null, 7)
}

/** 1 for Monday to 7 for Sunday, 0 for no day. */
function dayNumber(name: string): number {
  const at = Math.max(names.indexOf(name), fullNames.indexOf(name))
  return at < 0 ? 0 : at === 0 ? 7 : at
}

/** A calendar expression as a cron expression. */
export interface Calendar {
  readonly kind: 'calendar'
  readonly cron: string
  /** A condition on the day that cron's fields can't express; or nothing. */
  readonly only: string
  /** null: that of the system. */
  readonly timezone: string | null
}

/** `invalid`: systemd refuses it too. */
export interface NoCalendar {
  readonly kind: 'invalid' | 'inexpressible'
  readonly reason: string
}

const shorthands: Readonly<Record<string, string>> = {
  minutely: '*-*-* *:*:00',
  hourly: '*-*-* *:00:00',
  daily: '*-*-* 00:00:00',
  weekly: 'Mon *-*-* 00:00:00',
  monthly: '*-*-01 00:00:00',
  quarterly: '*-01,04,07,10-01 00:00:00',
  semiannually: '*-01,07-01 00:00:00',
  'semi-annually': '*-01,07-01 00:00:00',
  'bi-annually': '*-01,07-01 00:00:00',
  biannually: '*-01,07-01 00:00:00',
  yearly: '*-01-01 00:00:00',
  annually: '*-01-01 00:00:00',
}

const invalid = (reason: string): NoCalendar => ({ kind: 'invalid', reason })
const inexpressible = (reason: string): NoCalendar => ({ kind: 'inexpressible', reason })

/** Reads an `OnCalendar=`: weekdays, date, time and zone, each of them optional. */
export function calendarOf(text: string): Calendar | NoCalendar {
  const words = text.trim().split(/\s+/)
  const timezone = zoneOf(words)
  if (timezone !== null) words.pop()
  const written = words.join(' ')
  const expanded = (shorthands[written.toLowerCase()] ?? written).split(' ')
  const weekday = /^[A-Za-z]/.test(expanded[0]!) ? weekdayPart(expanded.shift()!) : anyWeekday
  if (weekday === null) return invalid('the weekdays are not understood')
  const date = expanded[0]?.includes(':') === false ? expanded.shift()! : '*-*-*'
  const time = expanded.shift() ?? '00:00:00'
  if (expanded.length > 0) return invalid('more than weekdays, a date, a time and a zone')
  return composed(weekday, date, time, timezone)
}

const anyWeekday = weekdayPart('Mon..Sun')!

function zoneOf(words: readonly string[]): string | null {
  const last = words.at(-1) ?? ''
  if (words.length < 2 || !/^[A-Z]/i.test(last) || weekdayPart(last) !== null) return null
  try {
    return zone(last).name
  } catch {
    return null
  }
}

function composed(
  weekday: TimeSet,
  date: string,
  time: string,
  timezone: string | null,
): Calendar | NoCalendar {
  if (date.includes('~')) return inexpressible('it counts days from the end of the month')
  const dateMatch = /^(?:([\d*.,/]+)-)?([\d*.,/]+)-([\d*.,/]+)$/.exec(date)
  if (dateMatch === null) return invalid('the date is not understood')
  const timeMatch = /^([\d*.,/]+):([\d*.,/]+)(?::([\d*.,/]+))?$/.exec(time)
  if (timeMatch === null) return invalid('the time is not understood')
  const [, year = '*', months, days] = dateMatch as unknown as string[]
  const [, hours, minutes, seconds = '0'] = timeMatch as unknown as string[]
  if (!/^0+$/.test(seconds!)) return inexpressible('cron has no seconds')
  if (year !== '*') return inexpressible('it names a year')
  const month = calendarPart(months!, 1, 12)
  const day = calendarPart(days!, 1, 31)
  const hour = calendarPart(hours!, 0, 23)
  const minute = calendarPart(minutes!, 0, 59)
  if (month === null || day === null) return invalid('the date is not understood')
  if (hour === null || minute === null) return invalid('the time is not understood')
  const both = bothDays(day, weekday)
  const cron = [minute.text, hour.text, both.day, month.text, both.weekday].join(' ')
  return { kind: 'calendar', cron, only: both.only, timezone }
}
