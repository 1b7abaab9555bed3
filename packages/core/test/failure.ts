import { KronError } from '../src/errors/index.js'

/** The typed error that an action throws; anything else fails the test. */
export function failure(action: () => unknown): KronError {
  try {
    action()
  } catch (error) {
    if (error instanceof KronError) return error
    throw error
  }
  throw new Error('it was accepted')
}
