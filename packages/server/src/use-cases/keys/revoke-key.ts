import { type ApiKey, instantText } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { everyItem } from '../every-item.js'
import { ServiceError } from '../service-error.js'
import { loadKey } from './load-key.js'

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
  throw new ServiceError('last_admin_key', `This is the last key ${which}.`)
}

/** Whether it may everything now. */
function isAdmin({ scopes, revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return scopes.includes('admin') && revokedAt === null && (expiresAt === null || expiresAt > now)
}
