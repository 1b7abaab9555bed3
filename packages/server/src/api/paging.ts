import { z } from '@hono/zod-openapi'
import { type SealContext, type Vault, VaultError } from '../secrets/index.js'
import type { Page } from '../store/index.js'
import { wholeNumber } from './field-schemas.js'
import type { Answer, Asked, Given } from './operation.js'
import { ApiError } from './problem.js'

const defaultPage = 50

/** What every list takes. */
export const paging = {
  limit: wholeNumber(1, 200)
    .optional()
    .transform((limit) => limit ?? defaultPage)
    .openapi({ type: 'integer', minimum: 1, maximum: 200, default: defaultPage }),
  cursor: z.string().max(4000).optional(),
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().openapi({ description: 'null after the last page' }),
  })
}

/** A last page with one item, as an example. */
export function pageExample(item: unknown): unknown {
  return { items: [item], nextCursor: null }
}

/** One page of a list, with the cursor of the next one. */
export function pageAnswer<Item>(
  { items, next }: Page<Item>,
  view: (item: Item) => unknown,
  given: Given<unknown, unknown>,
  { ports, caller }: Asked,
): Answer {
  const nextCursor =
    next === null ? null : sealCursor(ports.vault, caller.tenant.id, given.list, next)
  return { status: 200, body: { items: items.map(view), nextCursor } }
}

/**
 * Cursors are sealed for the tenant and hold the list that they belong to, so that the store never
 * sees one that it did not make, and none can be used with other filters.
 */
function sealCursor(vault: Vault, tenantId: string, list: string, after: string): string {
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
    if (error instanceof VaultError) throw broken('was not given out by this API')
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
