import { type NewKeyText, newKeyText } from '../../access/index.js'
import { type ApiKey, instantText, newId, type Scope } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { invalidField } from '../service-error.js'

export interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
  /** The key itself, where somebody had to know it before it is made; a new one if left out. */
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
