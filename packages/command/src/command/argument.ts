import {
  ConfigurationError,
  formatDuration,
  KronError,
  parseDuration,
  parseInstant,
  quote,
  type Zone,
} from '@kron/core'
import { grouped } from '@kron/runtime'

/** The error for an argument; `hint` is a second line that says what to do. */
export function badArgument(name: string, message: string, hint?: string): ConfigurationError {
  return new ConfigurationError('KRON_ARGUMENT_INVALID', message, {
    field: name,
    ...(hint !== undefined && { hint }),
  })
}

/** An RFC 3339 time, or a date, which means the start of that day in the zone. */
export function instantArgument(name: string, text: string, zone: Zone): number {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) {
      return startOfDay(parseInstant(`${text}T00:00:00Z`, name), zone)
    }
    return parseInstant(text, name)
  } catch (error) {
    if (!(error instanceof KronError)) throw error
    throw badArgument(name, error.message, 'hint: a date such as 2026-03-01 will do, too')
  }
}

/**
 * The instant with which a day begins, from the wall time of its midnight: the first one if the
 * clock shows midnight twice, and the end of the gap if it skips midnight.
 */
export function startOfDay(midnight: number, zone: Zone): number {
  const wall = midnight / 1000
  for (let from = wall - 2 * 86_400; ; from = zone.nextTransition(from)) {
    const first = Math.max(from, wall - zone.offsetAt(from))
    if (first < zone.nextTransition(from)) return first * 1000
  }
}

/** A duration from `least` to `most` milliseconds, of whole seconds. */
export function durationArgument(name: string, text: string, least: number, most: number): number {
  const duration = read(name, () => parseDuration(text, name))
  if (duration % 1000 === 0 && duration >= least && duration <= most) return duration
  const dayMs = 86_400_000
  const longest = most % dayMs === 0 ? `${most / dayMs} days` : formatDuration(most)
  const range = `from ${least / 1000}s to ${longest}`
  throw badArgument(name, `${name} must be whole seconds ${range}, got ${quote(text)}`)
}

export function countArgument(name: string, text: string, most: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= most) return count
  const range = `a whole number from 1 to ${grouped(most)}`
  throw badArgument(name, `${name} must be ${range}, got ${quote(text)}`)
}

function read<T>(name: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof KronError ? badArgument(name, error.message) : error
  }
}
