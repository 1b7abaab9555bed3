import { durationArgument, instantArgument } from '@kron/command'
import { utc } from '@kron/core'

/** A time as the API takes it. */
export const timeArgument = (name: string, text: string): string =>
  new Date(instantArgument(name, text, utc)).toISOString().replace('.000Z', 'Z')

/** Whole minutes of a duration, rounded up. */
export const minutesArgument = (name: string, text: string): number =>
  Math.ceil(durationArgument(name, text) / 60_000)
