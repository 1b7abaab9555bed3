export type { FailureContext } from './failure.js'
export type { LogLevel } from './level.js'
export { createLog, type Log } from './log.js'
export type { LogFields, LogFormat, LogOptions } from './log-options.js'
