/** What people read. `console` fits, and so do most loggers; a level may be left out. */
export interface Logger {
  debug?(message: string, fields?: object): void
  info?(message: string, fields?: object): void
  warn?(message: string, fields?: object): void
  error?(message: string, fields?: object): void
}

export type LogLevel = keyof Logger

/** Warnings and errors on standard error, with the stack of what was thrown; nothing else. */
export const consoleLogger: Logger = {
  warn: (message, fields) => console.warn(`kron: ${message}`, ...errorIn(fields)),
  error: (message, fields) => console.error(`kron: ${message}`, ...errorIn(fields)),
}

function errorIn(fields: object | undefined): unknown[] {
  return fields !== undefined && 'error' in fields ? [fields.error] : []
}
