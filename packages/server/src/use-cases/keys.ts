import { type NewKeyText, newKeyText } from '../access/index.js'
import { type ApiKey, instantText, isId, newId, type Scope } from '../domain/index.js'
import { everyItem } from '../store/index.js'
import type { Call } from './call.js'
import { auditChange } from './change.js'
import { existing, invalidField, Refusal } from './refusal.js'

interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
  /** The key itself, where it had to be known before it was created; left out, a new one. */
  readonly text?: NewKeyText | undefined
}

export interface CreatedKey {
  readonly key: ApiKey
  /** The key itself. This is the only time that it is seen. */
  readonly text: string
}

export async function createKey(call: Call, wanted: NewKey): Promise<CreatedKey> {
  const { rows, tenantId } = call
  const { name, expiresAt } = wanted
  if (expiresAt !== null && expiresAt <= rows.now) {
    throw invalidField('expiresAt', 'out_of_range', 'expiresAt must be in the future')
  }
  const { text, prefix, hash } = wanted.text ?? newKeyText()
  const key: ApiKey = {
    id: newId('key', rows.now),
    tenantId,
    name,
    prefix,
    scopes: [...new Set(wanted.scopes)],
    createdAt: rows.now,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
  }
  await rows.keys.insert(key, hash)
  const ends = expiresAt === null ? null : instantText(expiresAt)
  const after = { name, prefix, scopes: key.scopes, expiresAt: ends }
  await auditChange(call, { action: 'key.create', subject: key.id, before: null, after })
  return { key, text }
}

export async function loadKey({ rows }: Call, id: string): Promise<ApiKey> {
  return existing(isId('key', id) ? await rows.keys.get(id) : null, 'API key')
}

/** No client can send this as an idempotency key: it has a space. */
const revocationLock = 'revocation of keys'

/**
 * Ends a key for good. The last one that may everything and does not expire stays: once others have
 * expired, nobody could make another.
 */
export async function revokeKey(call: Call, id: string): Promise<ApiKey> {
  const { rows } = call
  // Of two admin keys that are revoked at once, each would find that the other is left.
  await rows.idempotency.get(revocationLock)
  const key = await loadKey(call, id)
  if (key.revokedAt !== null) return key
  if (isAdmin(key, rows.now)) await checkOtherAdmin(call, key)
  await rows.keys.revoke(id, rows.now)
  const before = { revokedAt: null }
  const after = { revokedAt: instantText(rows.now) }
  await auditChange(call, { action: 'key.revoke', subject: id, before, after })
  return { ...key, revokedAt: rows.now }
}

async function checkOtherAdmin({ rows }: Call, { id, expiresAt }: ApiKey): Promise<void> {
  // One that expires anyway may go while any other is left.
  const mustLast = expiresAt === null
  for await (const key of everyItem((page) => rows.keys.list(page))) {
    const serves = isAdmin(key, rows.now) && (!mustLast || key.expiresAt === null)
    if (key.id !== id && serves) return
  }
  const which = mustLast ? 'with the scope admin that does not expire' : 'with the scope admin'
  throw new Refusal('last_admin_key', `This is the last key ${which}.`)
}

/** Whether it may everything now. */
function isAdmin({ scopes, revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return scopes.includes('admin') && revokedAt === null && (expiresAt === null || expiresAt > now)
}
