import type { ApiKey } from '../../domain/index.js'
import { instantText } from '../../insight/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { everyItem } from '../every-item.js'
import { ServiceError } from '../service-error.js'
import { loadKey } from './load-key.js'

/** No client can send this as an idempotency key: it has a space. */
const revocationLock = 'revocation of keys'

/** Ends a key for good. The last one that may everything stays: nobody could make another. */
export async function revokeKey(call: Call, id: string): Promise<ApiKey> {
  const { rows } = call
  // Of two admin keys that are revoked at once, each would find that the other is left.
  await rows.idempotency.get(revocationLock)
  const key = await loadKey(call, id)
  if (key.revokedAt !== null) return key
  if (isAdmin(key, rows.now) && !(await hasOtherAdmin(call, id))) {
    throw new ServiceError('last_admin_key', 'This is the last key with the scope admin.')
  }
  await rows.keys.revoke(id, rows.now)
  const before = { revokedAt: null }
  const after = { revokedAt: instantText(rows.now) }
  await auditChange(call, { action: 'key.revoke', subject: id, before, after })
  return { ...key, revokedAt: rows.now }
}

async function hasOtherAdmin({ rows }: Call, id: string): Promise<boolean> {
  for await (const key of everyItem((page) => rows.keys.list(page))) {
    if (key.id !== id && isAdmin(key, rows.now)) return true
  }
  return false
}

/** Whether it may everything now. */
function isAdmin({ scopes, revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return scopes.includes('admin') && revokedAt === null && (expiresAt === null || expiresAt > now)
}
