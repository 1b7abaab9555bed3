import { randomBytes } from 'node:crypto'
import { invalidArgument, isSignedId, secretPrefix, signature } from './signature.js'

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

function checkSigned(secrets: readonly string[], id: string, timestampSeconds: number): void {
  if (secrets.length === 0) throw invalidArgument('secrets', [], 'one secret or more')
  if (!isSignedId(id)) throw invalidArgument('id', id, 'printable ASCII without spaces and dots')
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw invalidArgument('timestampSeconds', timestampSeconds, 'a whole number of epoch seconds')
  }
}

/** A secret that signs webhooks, by the rules of Standard Webhooks. */
export function createWebhookSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}
