import {
  ConfigurationError,
  KronError,
  parseDuration,
  parseInstant,
  quote,
  suggestion,
  type Zone,
  zone as zoneNamed,
} from '@kron/core'
import { grouped, type LogFormat, type LogLevel } from '@kron/runtime'

/** The error for an argument; each hint is a line below it that says what to do. */
export function badArgument(
  name: string,
  message: string,
  ...hints: readonly string[]
): ConfigurationError {
  return new ConfigurationError('KRON_ARGUMENT_INVALID', message, {
    field: name,
    ...(hints.length > 0 && { hint: hints.join('\n') }),
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
    throw badArgument(name, error.message, 'hint: a date such as 2026-03-01 works, too')
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

export function zoneArgument(name: string, text: string): Zone {
  return read(name, () => zoneNamed(text), `${name}: `)
}

/** Whole seconds of `90s`, `1h30m`, `1d12h`, in milliseconds, from `min` to `max` of them. */
export function secondsArgument(name: string, text: string, min: number, max: number): number {
  const ms = millisecondsOf(name, text)
  if (ms % 1000 === 0 && ms >= min && ms <= max) return ms
  const range = `from ${min / 1000}s to ${spanText(max)}`
  throw badArgument(name, `${name} must be whole seconds ${range}, got ${quote(text)}`)
}

/** The same for what may be of any length, in whole milliseconds. */
export function durationArgument(name: string, text: string, min = 1): number {
  const ms = millisecondsOf(name, text)
  if (Number.isInteger(ms) && ms >= min) return ms
  const range = `at least ${min}ms, in whole milliseconds`
  throw badArgument(name, `${name} must be ${range}, got ${quote(text)}`)
}

const dayMs = 86_400_000
const withDays = /^(\d{1,6})d(.*)$/

/** As Go has durations, and with days of 24 hours in front. */
function millisecondsOf(name: string, text: string): number {
  const [, days = '0', rest = text] = withDays.exec(text) ?? []
  return Number(days) * dayMs + (rest === '' ? 0 : read(name, () => parseDuration(rest, name)))
}

const units = [
  ['d', dayMs],
  ['h', 3_600_000],
  ['m', 60_000],
] as const

/** `366d`, `10m`: the largest unit that fits. */
function spanText(ms: number): string {
  const [name, unit] = units.find(([, each]) => ms % each === 0) ?? ['s', 1000]
  return `${ms / unit}${name}`
}

export function countArgument(name: string, text: string, max: number, min = 1): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= min && count <= max) return count
  const range = `a whole number from ${min} to ${grouped(max)}`
  throw badArgument(name, `${name} must be ${range}, got ${quote(text)}`)
}

export function choiceArgument<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((each) => each === text)
  if (found !== undefined) return found
  const allowed = [choices.slice(0, -1).join(', '), choices.at(-1)].join(' or ')
  const message = `${name} must be ${allowed}, got ${quote(text)}${suggestion(text, choices)}`
  throw badArgument(name, message)
}

function read<T>(name: string, parse: () => T, before = ''): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof KronError ? badArgument(name, before + error.message) : error
  }
}

const logLevels = ['debug', 'info', 'warn', 'error'] as const

/** How a program that runs in the foreground logs; sentences on a terminal, unless asked otherwise. */
export function logArguments(
  { format, logLevel }: { readonly format?: string; readonly logLevel: string },
  isTerminal: boolean,
): { readonly logFormat: LogFormat | 'readable'; readonly logLevel: LogLevel } {
  const usual = isTerminal ? 'readable' : 'text'
  return {
    logFormat:
      format === undefined ? usual : choiceArgument('--format', format, ['text', 'json'] as const),
    logLevel: choiceArgument('--log-level', logLevel, logLevels),
  }
}
