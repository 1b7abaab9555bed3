import { createHmac } from 'node:crypto'
import { quote, ValidationError } from '@kron/core'
import { webhookKey } from './webhook-secret.js'

/** The names of the three headers by which a receiver can tell who sent a request, and when. */
export interface WebhookHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/**
 * The value of `webhook-signature`: one signature for each secret. While a secret is being
 * replaced both sign, so that receivers may change over whenever they like.
 */
export function sign(
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  payload: Uint8Array | string,
): string {
  checkSigned(secrets, id, timestampSeconds)
  return secrets.map((secret) => signature(secret, id, String(timestampSeconds), payload)).join(' ')
}

export function webhookHeaders(
  secrets: readonly string[],
  id: string,
  timestampSeconds: number,
  payload: Uint8Array | string,
): WebhookHeaders {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': sign(secrets, id, timestampSeconds, payload),
  }
}

export function signature(
  secret: string,
  id: string,
  timestamp: string,
  payload: Uint8Array | string,
): string {
  const hmac = createHmac('sha256', webhookKey(secret)).update(`${id}.${timestamp}.`)
  return `v1,${hmac.update(payload).digest('base64')}`
}

/**
 * Printable ASCII without spaces and dots. A dot ends the identifier in what is signed: with one
 * inside, the rest could be moved into the timestamp or the payload under the same signature.
 */
export const isSignedId = (id: string): boolean => /^[!-~]+$/.test(id) && !id.includes('.')

function checkSigned(secrets: readonly string[], id: string, timestampSeconds: number): void {
  if (secrets.length === 0) throw invalidArgument('secrets', [], 'one secret or more')
  if (!isSignedId(id)) throw invalidArgument('id', id, 'printable ASCII without spaces and dots')
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw invalidArgument('timestampSeconds', timestampSeconds, 'a whole number of epoch seconds')
  }
}

export function invalidArgument(field: string, value: unknown, allowed: string): ValidationError {
  return new ValidationError(
    'KRON_FIELD_INVALID',
    `${field} must be ${allowed}, got ${quote(value)}`,
    { field, value, allowed },
  )
}
