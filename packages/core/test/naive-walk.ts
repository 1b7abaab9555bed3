import type { NaiveCron } from './naive-cron.js'
import type { NaiveZone } from './naive-zone.js'

const minute = 60
const hour = 3600
const day = 86_400

/** No two dates that the five plain fields can name are further apart than this. */
const maxYears = 9
const daysPerYear = 366

/** The first match after an instant, by trying one wall-clock minute after the other. */
export function naiveNext(
  cron: NaiveCron,
  zone: NaiveZone,
  after: number,
  years = maxYears,
): number | null {
  const first = Math.floor(after / 1000) + 1
  const start = floorTo(first, day)
  for (let utcDay = start; utcDay < start + years * daysPerYear * day; utcDay += day) {
    if (!mayMatchOn(cron, utcDay)) continue
    for (let utcHour = utcDay; utcHour < utcDay + day; utcHour += hour) {
      if (utcHour + hour <= first || !mayMatchIn(cron, zone, utcHour)) continue
      for (const second of ticks(cron, zone, utcHour, utcHour + hour)) {
        if (second >= first && naiveMatches(cron, zone, second)) return second * 1000
      }
    }
  }
  return null
}

/** The last match at or before an instant. */
export function naivePrevious(
  cron: NaiveCron,
  zone: NaiveZone,
  until: number,
  years = maxYears,
): number | null {
  const last = Math.floor(until / 1000)
  const start = floorTo(last, day)
  for (let utcDay = start; utcDay > start - years * daysPerYear * day; utcDay -= day) {
    if (!mayMatchOn(cron, utcDay)) continue
    for (let utcHour = utcDay + day - hour; utcHour >= utcDay; utcHour -= hour) {
      if (utcHour > last || !mayMatchIn(cron, zone, utcHour)) continue
      for (const second of ticks(cron, zone, utcHour, utcHour + hour).reverse()) {
        if (second <= last && naiveMatches(cron, zone, second)) return second * 1000
      }
    }
  }
  return null
}

/** Whether the wall clock at an epoch second, which must be a tick, matches. */
export function naiveMatches(cron: NaiveCron, zone: NaiveZone, second: number): boolean {
  const { dayNumber, hours, minutes, seconds } = wallClock(zone, second)
  return cron.matchesTime(hours, minutes, seconds) && cron.matchesDay(dayNumber)
}

export interface WallClock {
  /** Counted from 1970-01-01, on the wall calendar. */
  readonly dayNumber: number
  readonly hours: number
  readonly minutes: number
  readonly seconds: number
}

export function wallClock(zone: NaiveZone, second: number): WallClock {
  const local = second + zone.offsetAt(second)
  const dayNumber = Math.floor(local / day)
  const rest = local - dayNumber * day
  return {
    dayNumber,
    hours: Math.floor(rest / hour),
    minutes: Math.floor((rest % hour) / minute),
    seconds: rest % minute,
  }
}

/** Every epoch second of [from, to) at which a wall-clock minute begins; from on a UTC minute. */
export function minuteStarts(zone: NaiveZone, from: number, to: number): number[] {
  const starts: number[] = []
  for (let utcMinute = from; utcMinute < to; utcMinute += minute) {
    const offset = zone.offsetAt(utcMinute)
    if (offset === zone.offsetAt(utcMinute + minute - 1)) {
      starts.push(utcMinute + modulo(-offset, minute))
      continue
    }
    for (let second = utcMinute; second < utcMinute + minute; second++) {
      if (modulo(second + zone.offsetAt(second), minute) === 0) starts.push(second)
    }
  }
  return starts
}

/** The seconds at which the expression could match at all: each, or each start of a minute. */
function ticks(cron: NaiveCron, zone: NaiveZone, from: number, to: number): number[] {
  if (!cron.hasSeconds) return minuteStarts(zone, from, to)
  return Array.from({ length: to - from }, (_, index) => from + index)
}

/** A UTC day overlaps with three days of wall calendars, and with no others. */
function mayMatchOn(cron: NaiveCron, utcDay: number): boolean {
  const number = utcDay / day
  return [number - 1, number, number + 1].some((each) => cron.matchesDay(each))
}

/** An hour in which the offset changes may hold any date, as in St John's at 00:01. */
function mayMatchIn(cron: NaiveCron, zone: NaiveZone, utcHour: number): boolean {
  const end = utcHour + hour - 1
  if (zone.offsetAt(utcHour) !== zone.offsetAt(end)) return true
  return [utcHour, end].some((second) => cron.matchesDay(wallClock(zone, second).dayNumber))
}

export const floorTo = (value: number, unit: number): number => Math.floor(value / unit) * unit
const modulo = (value: number, unit: number): number => ((value % unit) + unit) % unit
