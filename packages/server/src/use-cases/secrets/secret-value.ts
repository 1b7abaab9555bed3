import { randomBytes } from 'node:crypto'
import type { SecretValue } from '../../domain/index.js'
import type { Call } from '../call.js'
import { invalidField } from '../service-error.js'

const prefix = 'whsec_'
const newBytes = 32
const minBytes = 24
const maxBytes = 64
export const secretValuePattern =
  /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

export interface NewValue {
  readonly text: string
  readonly value: SecretValue
}

/** The value that was given, checked, or a new one; sealed for the store. */
export function newValue(call: Call, given: string | null): NewValue {
  const text = given ?? `${prefix}${randomBytes(newBytes).toString('base64')}`
  checkValue(text)
  const sealed = call.vault.seal(text, { purpose: 'secret', tenantId: call.tenantId })
  return { text, value: { sealed, createdAt: call.rows.now, expiresAt: null } }
}

function checkValue(text: string): void {
  const match = secretValuePattern.exec(text)
  const bytes = match === null ? 0 : Buffer.from(match[1]!, 'base64').length
  if (bytes >= minBytes && bytes <= maxBytes) return
  // What was given is not repeated: it may be a secret with a typing error.
  throw invalidField(
    'value',
    'secret_invalid',
    `value must be ${prefix} and then ${minBytes} to ${maxBytes} bytes in base 64`,
  )
}
