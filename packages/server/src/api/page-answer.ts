import type { Page } from '../store/index.js'
import type { Answer, Asked, Given } from './operation.js'
import { sealCursor } from './request/index.js'

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
