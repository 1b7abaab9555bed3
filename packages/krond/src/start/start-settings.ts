import { badArgument, countArgument, durationArgument } from '@kron/command'
import { type ConfigurationError, formatDuration, quote } from '@kron/core'
import type { LogFormat, LogLevel } from '@kron/runtime'
import type { ConfigurationSources } from '../configuration/index.js'
import { type DaemonOptions, defaultOptions } from '../daemon/index.js'
import { defaultKrontabFolder, type Surroundings, stateFolder } from './folders.js'

/** What `krond start` was asked for, checked. Paths are absolute. */
export interface StartSettings extends DaemonOptions, ConfigurationSources {
  readonly state: string
  /** Whether a single invalid job keeps the daemon from starting. */
  readonly strict: boolean
  /** Whether running jobs are ended when the daemon is stopped. */
  readonly kill: boolean
  readonly listen: string | null
  /** `readable`: for people who look at a terminal. */
  readonly logFormat: LogFormat | 'readable'
  readonly logLevel: LogLevel
}

/** As the command line has them. */
export interface StartOptions {
  readonly file?: readonly string[]
  readonly crontab?: readonly string[]
  readonly state?: string
  readonly strict: boolean
  readonly kill: boolean
  readonly listen?: string
  /** If nothing was asked for, what suits the terminal or file that the log goes to. */
  readonly format?: string
  readonly logLevel: string
  readonly maxRunning: string
  readonly grace: string
  readonly history: string
}

const levels: readonly string[] = ['debug', 'info', 'warn', 'error']
const maxGraceMs = 3_600_000

export function startSettings(
  options: StartOptions,
  surroundings: Surroundings,
  isTerminal = false,
): StartSettings {
  const { logLevel, listen } = options
  const { format = isTerminal ? 'readable' : 'text' } = options
  if (format !== 'text' && format !== 'json' && options.format !== undefined) {
    throw notOneOf('--format', format, 'text or json')
  }
  if (!levels.includes(logLevel)) throw notOneOf('--log-level', logLevel, levels.join(', '))
  return {
    ...sourcesOf(options, surroundings),
    state: stateFolder(options.state, surroundings),
    strict: options.strict,
    kill: options.kill,
    listen: listen ?? null,
    logFormat: format as StartSettings['logFormat'],
    logLevel: logLevel as LogLevel,
    maxRunning: countArgument('--max-running', options.maxRunning, 100_000),
    graceMs: durationArgument('--grace', options.grace, 0, maxGraceMs),
    historyLength: countArgument('--history', options.history, 1000),
  }
}

/** The files that were named, or the usual folder if none was. */
export function sourcesOf(
  { file = [], crontab = [] }: Pick<StartOptions, 'file' | 'crontab'>,
  surroundings: Surroundings,
): ConfigurationSources {
  const { absolute } = surroundings
  if (file.length === 0 && crontab.length === 0) {
    return { krontabs: [defaultKrontabFolder(surroundings)], crontabs: [] }
  }
  return { krontabs: file.map(absolute), crontabs: crontab.map(absolute) }
}

export const startDefaults = Object.freeze({
  maxRunning: String(defaultOptions.maxRunning),
  grace: formatDuration(defaultOptions.graceMs),
  history: String(defaultOptions.historyLength),
  logLevel: 'info',
})

function notOneOf(option: string, text: string, allowed: string): ConfigurationError {
  return badArgument(option, `${option} must be ${allowed}, got ${quote(text)}`)
}
