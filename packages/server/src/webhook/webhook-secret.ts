import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { ConfigurationError } from '@kron/core'

/** How a secret for signatures begins, by the rules of Standard Webhooks. */
const prefix = 'whsec_'
const fewestBytes = 24
const maxBytes = 64
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const form = `${prefix} and ${fewestBytes} to ${maxBytes} bytes in base64`

export function createWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

const maxKept = 10_000
const kept = new Map<string, KeyObject>()

/** The key that a secret stands for. Those used before are kept, as each run signs with one. */
export function webhookKey(secret: string): KeyObject {
  const known = kept.get(secret)
  if (known !== undefined) return known
  const key = createSecretKey(decode(secret))
  if (kept.size >= maxKept) kept.clear()
  kept.set(secret, key)
  return key
}

function decode(secret: string): Buffer {
  const text = typeof secret === 'string' && secret.startsWith(prefix) ? secret.slice(6) : null
  const bytes = text !== null && base64.test(text) ? Buffer.from(text, 'base64') : null
  if (bytes !== null && bytes.length >= fewestBytes && bytes.length <= maxBytes) return bytes
  // The value is left out of the error: errors are logged, secrets are not.
  throw new ConfigurationError('KRON_FIELD_INVALID', `a webhook secret must be ${form}`, {
    field: 'secret',
    allowed: form,
  })
}
