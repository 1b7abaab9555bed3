import { formatInstant, KronError } from '@kron/core'

/**
 * The error with the job, and the period, that it concerns, so that its line in the log names them
 * wherever it is logged. One that knows them already keeps them. A copy: one failure of the disk
 * is the failure of many writes.
 */
export function concerning(error: unknown, identity: string, nominal: number | null): unknown {
  if (!(error instanceof KronError)) return error
  const period = nominal === null ? {} : { period_id: formatInstant(nominal) }
  const details = { identity, ...period, ...error.details }
  const copy: unknown = Object.create(Object.getPrototypeOf(error), {
    ...Object.getOwnPropertyDescriptors(error),
    details: { value: details, enumerable: true },
  })
  return copy
}

/** Does something, and has the error of it name the job and the period. */
export function concerned<T>(identity: string, nominal: number | null, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw concerning(error, identity, nominal)
  }
}
