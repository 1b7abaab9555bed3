import { checkInstant } from '@kron/core'

/** Epoch milliseconds of a date or number; throws unless whole and within the range of dates. */
export function epochMs(value: unknown, field: string): number {
  const ms = value instanceof Date ? value.getTime() : value
  checkInstant(ms, field)
  return ms
}
