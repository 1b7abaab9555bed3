import type { CommanderError } from 'commander'

/**
 * Whether commander threw it, to end a program or since arguments are wrong. By its code: where npm
 * has installed two copies of commander, the class of one is not the class of the other.
 */
export const isCommanderError = (error: unknown): error is CommanderError =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('commander.')
