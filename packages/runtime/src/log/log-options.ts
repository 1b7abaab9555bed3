import { ConfigurationError, quote, suggestion } from '@kron/core'
import type { Clock } from '../clock/index.js'
import type { LineFormat } from './line.js'

/** In order: a log of one level also writes all that follow it. */
const logLevels = ['debug', 'info', 'warn', 'error'] as const

export type LogLevel = (typeof logLevels)[number]

export function isWritten(level: LogLevel, lowest: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(lowest)
}

const logFormats = ['text', 'json'] as const

export type LogFormat = (typeof logFormats)[number]
export type LogFields = Readonly<Record<string, unknown>>

export interface LogOptions {
  /** Or a function that formats lines; what it returns no line for is not written. */
  readonly format: LogFormat | LineFormat
  /** The lowest level that is written. */
  readonly level: LogLevel
  /** Which part of the system speaks, such as `krond`. */
  readonly component: string
  readonly clock: Pick<Clock, 'now'>
  /**
   * Gets each line without its line end, and its event. Must handle its own failures:
   * what it throws is dropped. Synchronous if the line before a fatal exit is to arrive.
   */
  readonly write: (line: string, event: string) => void
  readonly fields?: LogFields
}

export function checkLogOptions(options: LogOptions): void {
  if (typeof options?.format !== 'function') checkChoice('format', options?.format, logFormats)
  checkChoice('level', options?.level, logLevels)
  if (typeof options.component !== 'string' || options.component === '') {
    throw invalid('component', options.component, 'a name that is not empty')
  }
  if (typeof options.clock?.now !== 'function') {
    throw invalid('clock', options.clock, 'a clock with a method now')
  }
  if (typeof options.write !== 'function') {
    throw invalid('write', options.write, 'a function that takes a line')
  }
}

function checkChoice(field: string, value: unknown, choices: readonly string[]): void {
  if (choices.includes(value as string)) return
  const hint = typeof value === 'string' ? suggestion(value, choices) : ''
  throw invalid(field, value, `one of ${choices.join(', ')}`, hint)
}

function invalid(field: string, value: unknown, allowed: string, hint = ''): ConfigurationError {
  return new ConfigurationError(
    'KRON_FIELD_INVALID',
    `log ${field} must be ${allowed}, got ${quote(value)}${hint}`,
    { field, value, allowed },
  )
}
