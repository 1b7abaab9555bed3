import { type ErrorCategory, type ErrorCode, KronError } from '@kron/core'

/** What a command tells the program that started it. */
export const exitCodes = Object.freeze({
  success: 0,
  /** Arguments that are not understood, an unknown job, a bad time. */
  input: 1,
  /** A krontab or a manifest with errors. */
  configuration: 2,
  /** What the command works on can't be used: state, a lock of somebody else, an API server. */
  unavailable: 3,
  fatal: 4,
})

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const ofInput: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'KRON_ARGUMENT_INVALID',
  'KRON_JOB_UNKNOWN',
  'KRON_FILE_UNREADABLE',
])

const ofUnavailable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'KRON_STATE_LOCK',
  'KRON_STATE_LOCKED',
  'KRON_STATE_UNSAFE',
  'KRON_DAEMON_ABSENT',
  'KRON_API',
])

const ofCategory: Readonly<Record<ErrorCategory, ExitCode>> = {
  ConfigurationError: exitCodes.configuration,
  ValidationError: exitCodes.configuration,
  SchedulingError: exitCodes.fatal,
  ConstraintError: exitCodes.fatal,
  ExecutionError: exitCodes.fatal,
  PersistenceError: exitCodes.unavailable,
  SystemError: exitCodes.fatal,
  IncompatibleStateError: exitCodes.unavailable,
}

export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof KronError)) return exitCodes.fatal
  if (ofInput.has(error.code)) return exitCodes.input
  return ofUnavailable.has(error.code) ? exitCodes.unavailable : ofCategory[error.category]
}
