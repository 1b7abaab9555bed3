import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { SealingKey } from './sealing-key.js'
import { VaultError } from './vault-error.js'

/**
 * What a sealed text is for, and its tenant. The text holds neither: to open it takes both, so that
 * a text that was copied to another tenant or another use does not open.
 */
export interface SealContext {
  readonly purpose: 'header' | 'secret' | 'answer' | 'session' | 'cursor' | 'request' | 'check'
  /** null where no tenant is known before opening. */
  readonly tenantId: string | null
}

/** Seals what must not be readable where it is kept. */
export interface Vault {
  /** Names of its keys; the first one seals. */
  readonly keyIds: readonly string[]
  seal(text: string, context: SealContext): string
  /** Throws a VaultError unless exactly this was sealed for this context. */
  open(sealed: string, context: SealContext): string
  /** A keyed hash, to compare with later: without the key nobody can guess at the text. */
  fingerprint(text: string, context: SealContext): string
  isFingerprint(fingerprint: string, text: string, context: SealContext): boolean
}

const version = 'k1'
const nonceBytes = 12
const tagBytes = 16
const sealedPattern = /^k1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{38,})$/

/**
 * AES-256-GCM. A sealed text is `k1.<key>.<nonce, ciphertext and tag in base 64>`; it names its
 * key, so that a new key can be put before the old one without sealing everything again.
 */
export function createVault(keys: readonly SealingKey[]): Vault {
  const [first] = keys
  if (first === undefined) throw new VaultError('key_missing', 'a vault needs at least one key')
  const byId = new Map(keys.map((key) => [key.id, key]))
  return {
    keyIds: keys.map(({ id }) => id),
    seal: (text, context) => seal(first, text, context),
    open(sealed, context) {
      const match = sealedPattern.exec(sealed)
      if (match === null) throw notSealed()
      return open(keyNamed(byId, match[1]!), match[2]!, context)
    },
    fingerprint: (text, context) => fingerprint(first, text, context),
    isFingerprint(expected, text, context) {
      const key = byId.get(expected.slice(0, 8))
      return key !== undefined && sameText(fingerprint(key, text, context), expected)
    },
  }
}

function seal(key: SealingKey, text: string, context: SealContext): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce)
  cipher.setAAD(associated(context))
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `${version}.${key.id}.${Buffer.concat(parts).toString('base64url')}`
}

function open(key: SealingKey, encoded: string, context: SealContext): string {
  const bytes = Buffer.from(encoded, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) throw notSealed()
  const nonce = bytes.subarray(0, nonceBytes)
  const options = { authTagLength: tagBytes }
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, options)
  decipher.setAAD(associated(context))
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
  try {
    const sealed = bytes.subarray(nonceBytes, bytes.length - tagBytes)
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
  } catch (error) {
    throw notSealed({ cause: error })
  }
}

function fingerprint(key: SealingKey, text: string, context: SealContext): string {
  const hash = createHmac('sha256', key.bytes).update(associated(context)).update(text)
  return `${key.id}.${hash.digest('base64url')}`
}

/** No tenant's id has a space, so no two contexts look the same. */
function associated({ purpose, tenantId }: SealContext): Buffer {
  return Buffer.from(`kron ${purpose} ${tenantId ?? '-'} `)
}

function keyNamed(byId: ReadonlyMap<string, SealingKey>, id: string): SealingKey {
  const key = byId.get(id)
  if (key !== undefined) return key
  throw new VaultError(
    'key_unknown',
    `sealed with key ${id}, which is not among the keys given (${[...byId.keys()].join(', ')})`,
  )
}

function notSealed(options?: ErrorOptions): VaultError {
  const message = 'the sealed text was changed, or belongs to another tenant or use'
  return new VaultError('sealed_invalid', message, options)
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
