import { ExecutionError, KronError, SystemError } from '@kron/core'

/** What the machine ran out of, or lacks for everyone: it may be better a moment later. */
const transientCodes = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOBUFS', 'EINTR'])

export const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'unknown'
}

export const isTransient = (error: unknown): boolean => transientCodes.has(codeOf(error))

/** The error that says why something of a start failed; one of ours stays what it is. */
export function failureOf(
  cause: unknown,
  message: string,
  field: string,
  value: unknown,
): ExecutionError | SystemError {
  if (cause instanceof ExecutionError || cause instanceof SystemError) return cause
  const code = codeOf(cause)
  const details = { field, value, errno: code, ...(cause instanceof KronError && cause.details) }
  const text = `${message}: ${code}`
  return isTransient(cause)
    ? new SystemError('KRON_SYSTEM', text, details, { cause })
    : new ExecutionError('KRON_EXECUTION', text, details, { cause })
}
