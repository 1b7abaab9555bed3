import { retryDelayMs } from '../duration/index.js'
import {
  InvalidRegistrationError,
  NegativeRetryDelayError,
  RegistrationShapeError,
  RegistrationsNotArrayError,
  ScheduleDuplicateTaskError,
} from '../errors/index.js'
import type { Callback, CheckedRegistration } from './registration.js'

/** Beyond this an instant plus the delay might be no date any more: some 100,000 years. */
const longestRetryDelayMs = 100_000 * 366 * 86_400_000

const loneSurrogate = /\p{Surrogate}/u

/**
 * All of them by name, in order. The first problem is thrown, registration by registration: shape,
 * name, expression (`checkExpression` throws), delay.
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
    checkDelay(registration.retryDelayMs)
    byName.set(registration.name, registration)
  }
  return byName
}

function shaped(received: unknown, index: number): CheckedRegistration {
  if (!Array.isArray(received) || received.length !== 4) {
    throw new RegistrationShapeError(index, received)
  }
  const [name, expression, callback, delay] = received as unknown[]
  const delayMs = retryDelayMs(delay)
  if (
    typeof name !== 'string' ||
    typeof expression !== 'string' ||
    typeof callback !== 'function' ||
    delayMs === null
  ) {
    throw new RegistrationShapeError(index, received)
  }
  return { name, expression, callback: callback as Callback, retryDelayMs: delayMs }
}

function checkName(name: string): void {
  if (name === '') throw new InvalidRegistrationError('name', name, 'must not be empty')
  // A database would keep another text in its place, which might be the name of another task.
  if (loneSurrogate.test(name)) {
    throw new InvalidRegistrationError('name', name, 'must be well-formed Unicode')
  }
}

function checkDelay(ms: number): void {
  if (ms < 0) throw new NegativeRetryDelayError(ms)
  if (!(ms <= longestRetryDelayMs)) {
    const reason = `must be at most ${longestRetryDelayMs} milliseconds`
    throw new InvalidRegistrationError('retryDelay', ms, reason)
  }
}
