import { type ErrorDetails, IncompatibleStateError, quote, quotePath } from '@kron/core'

/** The file is whole, but does not say what we must know: nothing may be scheduled by it. */
export function incompatible(
  file: string,
  details: ErrorDetails & { readonly allowed: string; readonly advice?: string },
  cause?: unknown,
): IncompatibleStateError {
  const { field, value, allowed, advice } = details
  const end = advice === undefined ? '' : `: ${advice}`
  return new IncompatibleStateError(
    'KRON_STATE_INCOMPATIBLE',
    `state file ${quotePath(file)}: ${field} must be ${allowed}, got ${quote(value)}${end}`,
    { ...details, path: file },
    cause === undefined ? {} : { cause },
  )
}
