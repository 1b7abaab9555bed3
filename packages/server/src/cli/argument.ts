import { KronError, parseDuration, parseInstant, quote } from '@kron/core'
import { grouped } from '@kron/runtime'
import { CommandFailure } from './command-failure.js'

export function badArgument(message: string, ...hints: readonly string[]): CommandFailure {
  return new CommandFailure('argument_invalid', message, hints)
}

/** A time as the API takes it. */
export function instantArgument(name: string, text: string): string {
  const instant = read(() => parseInstant(text, name))
  return new Date(instant).toISOString().replace('.000Z', 'Z')
}

const days = /^(\d{1,5})d(.*)$/

/** Milliseconds of `90s`, `1h30m`, `7d`; days are 24 hours here. */
export function durationArgument(name: string, text: string, minMs = 1): number {
  const [, whole = '0', rest = text] = days.exec(text) ?? []
  const ms = Number(whole) * 86_400_000 + (rest === '' ? 0 : read(() => parseDuration(rest, name)))
  if (Number.isInteger(ms) && ms >= minMs) return ms
  throw badArgument(
    `${name} must be at least ${minMs}ms, in whole milliseconds, got ${quote(text)}`,
  )
}

/** Whole minutes of a duration, rounded up. */
export function minutesArgument(name: string, text: string): number {
  return Math.ceil(durationArgument(name, text) / 60_000)
}

export function countArgument(name: string, text: string, most: number, least = 1): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= least && count <= most) return count
  const range = `a whole number from ${least} to ${grouped(most)}`
  throw badArgument(`${name} must be ${range}, got ${quote(text)}`)
}

function read<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof KronError ? badArgument(error.message) : error
  }
}
