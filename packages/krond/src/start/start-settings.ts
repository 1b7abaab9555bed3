import { countArgument, logArguments, secondsArgument } from '@kron/command'
import { formatDuration } from '@kron/core'
import type { LogFormat, LogLevel } from '@kron/runtime'
import { type Caller, defaultKrontabFolder, stateFolder } from '../command/folders.js'
import type { ConfigurationSources } from '../configuration/read-configuration.js'
import { type DaemonOptions, defaultOptions } from '../daemon/ports.js'

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

const maxGraceMs = 3_600_000

export function startSettings(
  options: StartOptions,
  caller: Caller,
  isTerminal = false,
): StartSettings {
  return {
    ...sourcesOf(options, caller),
    state: stateFolder(options.state, caller),
    strict: options.strict,
    kill: options.kill,
    listen: options.listen ?? null,
    ...logArguments(options, isTerminal),
    maxRunning: countArgument('--max-running', options.maxRunning, 100_000),
    graceMs: secondsArgument('--grace', options.grace, 0, maxGraceMs),
    historyLength: countArgument('--history', options.history, 1000),
  }
}

/** The files that were named, or the usual folder if none was. */
export function sourcesOf(
  { file = [], crontab = [] }: Pick<StartOptions, 'file' | 'crontab'>,
  caller: Caller,
): ConfigurationSources {
  const { absolute } = caller
  if (file.length === 0 && crontab.length === 0) {
    return { krontabs: [defaultKrontabFolder(caller)], crontabs: [] }
  }
  return { krontabs: file.map(absolute), crontabs: crontab.map(absolute) }
}

export const startDefaults = Object.freeze({
  maxRunning: String(defaultOptions.maxRunning),
  grace: formatDuration(defaultOptions.graceMs),
  history: String(defaultOptions.historyLength),
  logLevel: 'info',
})
