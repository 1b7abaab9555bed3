import { type ErrorCategory, type ErrorCode, KronError } from '@kron/core'

/** What every program of Kron tells the one that started it. */
export const exitCodes = Object.freeze({
  success: 0,
  /** Arguments that are not understood, an unknown name, a file that can't be read, no key. */
  input: 1,
  /** A configuration with errors, or a request that the server does not accept. */
  refused: 2,
  /** What the command works on can't be used now: state, a lock, a server, a cluster. */
  unavailable: 3,
  /** The program itself failed, or a run that was waited for. */
  fatal: 4,
})

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export type ExitMeanings = Readonly<Partial<Record<keyof typeof exitCodes, string>>>

/** The same in the words of manual pages; programs replace what means something more definite. */
export const exitMeanings: Required<ExitMeanings> = {
  success: 'Success.',
  input: 'Arguments that are not understood, an unknown name, or a file that can not be read.',
  refused: 'A configuration with errors, or a request that is not accepted.',
  unavailable: 'What the command works on can not be used now.',
  fatal: 'Anything else; the message says what.',
}

/** And in the words of `--help`. */
export const exitCodesText = `Exit codes: 0 success, 1 bad arguments or an unknown name, 2 refused, \
or a configuration
with errors, 3 not available now, 4 fatal.`

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
  ConfigurationError: exitCodes.refused,
  ValidationError: exitCodes.refused,
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
