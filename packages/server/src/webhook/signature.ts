import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { ConfigurationError, quote, ValidationError } from '@kron/core'

/** One signature, as it stands in `webhook-signature`. */
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

export function invalidArgument(field: string, value: unknown, allowed: string): ValidationError {
  return new ValidationError(
    'KRON_FIELD_INVALID',
    `${field} must be ${allowed}, got ${quote(value)}`,
    { field, value, allowed },
  )
}

/** How a secret for signatures begins, by the rules of Standard Webhooks. */
export const secretPrefix = 'whsec_'
const fewestBytes = 24
const maxBytes = 64
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const form = `${secretPrefix} and ${fewestBytes} to ${maxBytes} bytes in base64`

const maxKept = 10_000
const kept = new Map<string, KeyObject>()

/** The key that a secret stands for. Those used before are kept, as each run signs with one. */
function webhookKey(secret: string): KeyObject {
  const known = kept.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(decode(secret))
  if (kept.size >= maxKept) kept.clear()
  kept.set(secret, key)
  return key
}

function decode(secret: string): Buffer {
  const text =
    typeof secret === 'string' && secret.startsWith(secretPrefix) ? secret.slice(6) : null
  const bytes = text !== null && base64.test(text) ? Buffer.from(text, 'base64') : null
  if (bytes !== null && bytes.length >= fewestBytes && bytes.length <= maxBytes) return bytes
  // The value is left out of the error: errors are logged, secrets are not.
  throw new ConfigurationError('KRON_FIELD_INVALID', `a webhook secret must be ${form}`, {
    field: 'secret',
    allowed: form,
  })
}
