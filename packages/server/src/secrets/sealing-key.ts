import { createHash, randomBytes } from 'node:crypto'
import { VaultError } from './vault-error.js'

export const keyBytes = 32

/** A key of AES-256, and the short name by which sealed texts refer to it. */
export interface SealingKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** Reads one or more keys, separated by commas. The first one seals, all of them open. */
export function parseSealingKeys(text: string, from: string): readonly SealingKey[] {
  const parts = text.split(',').map((part) => part.trim())
  const keys = parts.filter((part) => part !== '').map((part) => parseSealingKey(part, from))
  if (keys.length === 0) throw new VaultError('key_missing', `${from} holds no key`)
  return keys
}

export function newSealingKeyText(): string {
  return randomBytes(keyBytes).toString('base64')
}

const base64 = /^[A-Za-z0-9+/_-]{43}=?$/

function parseSealingKey(text: string, from: string): SealingKey {
  const bytes = base64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  // The text itself must not be shown: it may be a key with a typing error.
  if (bytes.length !== keyBytes) {
    throw new VaultError('key_invalid', `${from} must hold ${keyBytes} bytes in base 64 for a key`)
  }
  return { id: keyId(bytes), bytes }
}

/** Of a hash, so that it tells nothing about the key, and a changed key has another name. */
function keyId(bytes: Uint8Array): string {
  return createHash('sha256').update('kron sealing key').update(bytes).digest('hex').slice(0, 8)
}
