import type { Page, PageRequest } from '../page.js'

/** Cuts the one row too many that was read, which tells whether there is a next page. */
export function pageOf<Item>(
  rows: readonly Item[],
  { limit }: PageRequest,
  cursorOf: (item: Item) => string,
): Page<Item> {
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? cursorOf(items.at(-1)!) : null }
}
