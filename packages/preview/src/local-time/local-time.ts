import { formatDuration, formatInstant, type Zone } from '@kron/core'

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** Milliseconds that read, as if they were UTC, what the clock on the wall shows. */
export function wallTime(instant: number, zone: Zone): number {
  return instant + zone.offsetAt(Math.floor(instant / 1000)) * 1000
}

/** `2026-03-29` of a wall time. */
export const wallDate = (wall: number): string => formatInstant(wall).split('T')[0]!

/** `03:00:00` of a wall time. */
export const wallClock = (wall: number): string => formatInstant(wall).split('T')[1]!.slice(0, 8)

/** `03:00`. */
export const wallMinute = (wall: number): string => wallClock(wall).slice(0, 5)

export function weekdayOf(wall: number): (typeof weekdays)[number] {
  const day = Math.floor(wall / 86_400_000)
  return weekdays[(((day + 4) % 7) + 7) % 7]!
}

/** `+02:00`; with seconds where a zone had them. */
export function formatOffset(seconds: number): string {
  const sign = seconds < 0 ? '-' : '+'
  const [hours, minutes, rest] = wallClock(Math.abs(seconds) * 1000).split(':') as [
    string,
    string,
    string,
  ]
  return `${sign}${hours}:${minutes}${rest === '00' ? '' : `:${rest}`}`
}

/** `Sun 2026-03-29 03:00:00 +02:00`. */
export function formatLocal(instant: number, zone: Zone): string {
  const wall = wallTime(instant, zone)
  const offset = formatOffset(zone.offsetAt(Math.floor(instant / 1000)))
  return `${weekdayOf(wall)} ${wallDate(wall)} ${wallClock(wall)} ${offset}`
}

/** `Sun 03-29 03:00:00 +02:00`, for where the year stands beside it. */
export function formatLocalShort(instant: number, zone: Zone): string {
  return formatLocal(instant, zone).replace(/[+-]?\d{4,}-/, '')
}

/** `2026-03-29T03:00:00+02:00`, RFC 3339. */
export function formatLocalRfc(instant: number, zone: Zone): string {
  const wall = wallTime(instant, zone)
  const offset = formatOffset(zone.offsetAt(Math.floor(instant / 1000)))
  return `${wallDate(wall)}T${wallClock(wall)}${offset}`
}

/** `32m20s`, `-12m3s`. */
export function signedDuration(seconds: number): string {
  return `${seconds < 0 ? '-' : ''}${formatDuration(Math.abs(seconds) * 1000)}`
}
