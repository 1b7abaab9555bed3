import type { SealContext, Vault } from '../secrets/index.js'
import type { RememberedAnswer } from '../store/index.js'
import { type Asker, type Call, inCall, Refusal } from '../use-cases/index.js'
import type { ApiPorts } from './api-ports.js'
import { ApiError, problemOf } from './problem.js'

/** An answer as it is sent. */
export interface SentAnswer {
  readonly status: number
  readonly text: string | null
  readonly headers: Readonly<Record<string, string>>
}

interface RepeatableRequest {
  readonly asker: Asker
  readonly key: string
  /** All that makes it this request and no other. */
  readonly content: string
  readonly requestId: string
  readonly secretAnswer: boolean
}

export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/

export function idempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null
  if (idempotencyKeyPattern.test(header)) return header
  const message = 'idempotency-key must be 1 to 255 visible ASCII characters'
  const errors = [{ field: 'idempotency-key', code: 'invalid_format', message }]
  throw new ApiError('validation_failed', message, { errors })
}

/**
 * Does the work unless the same request did it before; then its answer is given again. The answer
 * is kept in the transaction of the work itself, so that either both are there or neither. What
 * was refused is kept as well, in a transaction of its own, since the work's was undone.
 */
export async function answerOnce(
  ports: ApiPorts,
  request: RepeatableRequest,
  work: (call: Call) => Promise<SentAnswer>,
): Promise<SentAnswer> {
  try {
    return await rememberedOr(ports, request, work)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { problem, headers } = problemOf(error, request.requestId)
    const refusal = { status: problem.status, text: JSON.stringify(problem), headers }
    return rememberedOr(ports, request, async () => refusal)
  }
}

function rememberedOr(
  ports: ApiPorts,
  request: RepeatableRequest,
  work: (call: Call) => Promise<SentAnswer>,
): Promise<SentAnswer> {
  const { vault } = ports
  return inCall(ports, request.asker, async (call) => {
    const known = await call.rows.idempotency.get(request.key)
    if (known !== null) return recalled(vault, request, known)
    const answer = await work(call)
    await call.rows.idempotency.put(request.key, remembered(vault, request, answer))
    return answer
  })
}

function remembered(
  vault: Vault,
  { asker, content, secretAnswer }: RepeatableRequest,
  { status, text, headers }: SentAnswer,
): RememberedAnswer {
  const { tenantId } = asker
  const sealed = secretAnswer && text !== null
  return {
    // Keyed, since the request may hold header values that somebody could otherwise guess at.
    requestHash: vault.fingerprint(content, { purpose: 'request', tenantId }),
    status,
    body: sealed ? vault.seal(text, answerContext(tenantId)) : (text ?? ''),
    headers,
  }
}

function recalled(
  vault: Vault,
  { asker, content, secretAnswer }: RepeatableRequest,
  { requestHash, status, body, headers }: RememberedAnswer,
): SentAnswer {
  const { tenantId } = asker
  if (!vault.isFingerprint(requestHash, content, { purpose: 'request', tenantId })) {
    const message = 'This idempotency key was used for another request. Choose a new one.'
    throw new ApiError('idempotency_key_reused', message)
  }
  const text = secretAnswer && body !== '' ? vault.open(body, answerContext(tenantId)) : body
  const replayed = { ...headers, 'idempotency-replayed': 'true' }
  return { status, text: text === '' ? null : text, headers: replayed }
}

function answerContext(tenantId: string): SealContext {
  return { purpose: 'answer', tenantId }
}
