import { type RetryDelay, retryDelayMs } from '../duration/duration.js'
import {
  InvalidRegistrationError,
  NegativeRetryDelayError,
  RegistrationShapeError,
  RegistrationsNotArrayError,
  ScheduleDuplicateTaskError,
} from '../errors/index.js'

/**
 * What a task does. If it answers a promise, the run lasts until that settles, and a rejection is a
 * failure, like something that is thrown; any other answer is ignored.
 */
export type Callback = () => unknown

/** Name, POSIX cron expression, callback, delay before a failed run is tried again. */
export type Registration = readonly [
  name: string,
  expression: string,
  callback: Callback,
  retryDelay: RetryDelay,
]

/** A registration that was checked, in one form. */
export interface CheckedRegistration {
  readonly name: string
  readonly expression: string
  readonly callback: Callback
  readonly retryDelayMs: number
}

/** Beyond this an instant plus the delay might be no date any more: some 100,000 years. */
const longestRetryDelayMs = 100_000 * 366 * 86_400_000

const loneSurrogate = /\p{Surrogate}/u

/**
 * All of them by name, in order. The first problem is thrown, registration by registration: shape,
 * name, expression (`checkExpression` throws), callback, delay.
 */
export function checkRegistrations(
  registrations: unknown,
  checkExpression: (expression: string) => void,
): Map<string, CheckedRegistration> {
  if (!Array.isArray(registrations)) throw new RegistrationsNotArrayError()
  const byName = new Map<string, CheckedRegistration>()
  for (let index = 0; index < registrations.length; index++) {
    const registration = shaped(registrations[index], index)
    checkName(registration.name)
    if (byName.has(registration.name)) throw new ScheduleDuplicateTaskError(registration.name)
    checkExpression(registration.expression)
    checkCallback(registration.callback)
    checkDelay(registration.retryDelayMs)
    byName.set(registration.name, registration)
  }
  return byName
}

function shaped(received: unknown, index: number): CheckedRegistration {
  if (!Array.isArray(received) || received.length !== 4) {
    const got = Array.isArray(received) ? `an array of ${received.length}` : kindOf(received)
    throw new RegistrationShapeError(
      index,
      received,
      null,
      `it must be a tuple of four, got ${got}`,
    )
  }
  const [name, expression, callback, delay] = received as unknown[]
  const wrong = (place: number, what: string, expected: string, got: unknown) =>
    new RegistrationShapeError(
      index,
      received,
      place,
      `place ${place} (${what}) must be ${expected}, got ${kindOf(got)}`,
    )
  if (typeof name !== 'string') throw wrong(1, 'name', 'a string', name)
  if (typeof expression !== 'string') throw wrong(2, 'cron expression', 'a string', expression)
  if (typeof callback !== 'function') throw wrong(3, 'callback', 'a function', callback)
  const delayMs = retryDelayMs(delay)
  if (delayMs === null) throw wrong(4, 'retry delay', 'a Duration', delay)
  return { name, expression, callback: callback as Callback, retryDelayMs: delayMs }
}

/** What something is, without what it holds: that may be a secret. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Promise) return 'a promise (was the function called?)'
  if (value instanceof Function) return 'a function'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function checkName(name: string): void {
  if (name === '') throw new InvalidRegistrationError('name', name, 'must not be empty')
  // A database would keep another text in its place, which might be the name of another task.
  if (loneSurrogate.test(name)) {
    throw new InvalidRegistrationError('name', name, 'must be well-formed Unicode')
  }
}

/** Calling one only makes a generator: the task would seem to succeed, and nothing would have run. */
function checkCallback(callback: Callback): void {
  if (!isGeneratorFunction(callback)) return
  const reason =
    'must not be a generator function (function* or async function*), since calling it runs ' +
    'nothing: use a function or an async function that goes through the generator'
  throw new InvalidRegistrationError('callback', callback, reason)
}

function checkDelay(ms: number): void {
  if (ms < 0) throw new NegativeRetryDelayError(ms)
  if (!(ms <= longestRetryDelayMs)) {
    const reason = `must be at most ${longestRetryDelayMs} milliseconds`
    throw new InvalidRegistrationError('retryDelay', ms, reason)
  }
}

/** Also one that was bound, or comes from another realm. */
const isGeneratorFunction = (value: unknown): boolean => /Generator/.test(tagOf(value))

/** What calling a generator function answers: nothing of it has run. */
export const isGenerator = (value: unknown): boolean =>
  typeof value === 'object' && /Generator\]$/.test(tagOf(value))

/** `[object AsyncGeneratorFunction]` and the like. */
function tagOf(value: unknown): string {
  try {
    return Object.prototype.toString.call(value)
  } catch {
    return ''
  }
}
