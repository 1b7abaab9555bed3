/** In order: a log of one level also writes all that follow it. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const

export type LogLevel = (typeof logLevels)[number]

export function isWritten(level: LogLevel, lowest: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(lowest)
}
