import { type PlainValue, plainValue } from '@kron/runtime'
import { type FailureReason, failureReason } from '../failure/failure-reason.js'

/**
 * The root of what the scheduler throws. `name`, `message` and `details` are the contract of the
 * specification; `code` is the same name as a constant, as all of Kron's errors have one.
 */
export abstract class SchedulerError<Details = unknown> extends Error {
  readonly code: string
  readonly details: Details
  /** Which task and which file it is about, where neither message nor details may say so. */
  where?: string

  constructor(code: string, message: string, details: Details, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }

  /** From the inside to the outside: first the task, then the file. */
  locate(place: string | undefined): this {
    if (place === undefined) return this
    this.where = this.where === undefined ? place : `${this.where} in ${place}`
    return this
  }

  /** For loggers that write JSON: without it nothing but `code` and `details` would be left. */
  toJSON(): FailureReason & { readonly details?: PlainValue } {
    const details = plainValue(this.details)
    return { ...failureReason(this), ...(details === undefined ? {} : { details }) }
  }
}

/** Gives a class of errors its `name`, on the prototype and as text, so that minifiers keep it. */
export function named(errorClass: { readonly prototype: Error }, name: string): void {
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true })
}
