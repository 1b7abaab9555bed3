import { type ErrorCode, KronError } from '@kron/core'

export interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

export function jsonReply(value: unknown, status = 200): Reply {
  const type = 'application/json; charset=utf-8'
  return { status, type, body: `${JSON.stringify(value)}\n` }
}

export function errorReply(status: number, code: ErrorCode, message: string): Reply {
  return jsonReply({ error: { code, message } }, status)
}

const statusOf: Partial<Record<ErrorCode, number>> = {
  KRON_REQUEST_INVALID: 400,
  KRON_JOB_UNKNOWN: 404,
}

/** What went wrong on our side is nobody else's business. */
export function failureReply(error: unknown): Reply {
  const status = error instanceof KronError ? statusOf[error.code] : undefined
  if (status === undefined) return errorReply(500, 'KRON_INVARIANT', 'internal error')
  const { code, message } = error as KronError
  return errorReply(status, code, message)
}
