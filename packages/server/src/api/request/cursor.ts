import { type SealContext, type Vault, VaultError } from '../../secrets/index.js'
import { ApiError } from '../problem/index.js'

/**
 * Cursors are sealed for the tenant and hold the list that they belong to, so that the store never
 * sees one that it did not make, and none can be used with other filters.
 */
export function sealCursor(vault: Vault, tenantId: string, list: string, after: string): string {
  return vault.seal(JSON.stringify([list, after]), contextOf(tenantId))
}

export function openCursor(vault: Vault, tenantId: string, list: string, cursor: string): string {
  const [madeFor, after] = opened(vault, tenantId, cursor)
  if (madeFor !== list) throw broken('belongs to another list, or to other filters')
  return after
}

function opened(vault: Vault, tenantId: string, cursor: string): [list: string, after: string] {
  try {
    return JSON.parse(vault.open(cursor, contextOf(tenantId)))
  } catch (error) {
    if (error instanceof VaultError) throw broken('is not one that this API has given')
    throw error
  }
}

function contextOf(tenantId: string): SealContext {
  return { purpose: 'cursor', tenantId }
}

function broken(what: string): ApiError {
  const message = `cursor ${what}`
  const errors = [{ field: 'cursor', code: 'cursor_invalid', message }]
  return new ApiError('validation_failed', message, { errors })
}
