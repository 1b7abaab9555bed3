import type { ErrorCode } from './codes.js'

export type ErrorCategory =
  | 'ConfigurationError'
  | 'ValidationError'
  | 'SchedulingError'
  | 'ConstraintError'
  | 'ExecutionError'
  | 'PersistenceError'
  | 'SystemError'
  | 'IncompatibleStateError'

/** What a program needs to react: where, what was found, what would have been right. */
export interface ErrorDetails {
  readonly field: string
  readonly value?: unknown
  readonly allowed?: string
  /** Index into the text that was parsed, for errors that can point at a character. */
  readonly position?: number
  readonly [key: string]: unknown
}

/** The root of everything Kron throws. `category` is the seed's error type, `code` is stable. */
export abstract class KronError extends Error {
  abstract readonly category: ErrorCategory
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

/** Gives a class of errors its `name`, on the prototype and as text, so that minifiers keep it. */
export function named(errorClass: { readonly prototype: Error }, name: string): void {
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true })
}
