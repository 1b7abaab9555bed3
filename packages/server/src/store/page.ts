/**
 * A page ends early once its items pass this size, by what is stored of them: lists whose items
 * may be large can't fill the memory, however many are asked for.
 */
export const largePageBytes = 1024 * 1024

/** One page of a list, in the order of its cursor. */
export interface PageRequest {
  readonly limit: number
  /** The cursor of the last item that was seen. */
  readonly after: string | null
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins, or null after the last one. */
  readonly next: string | null
}

const pageSize = 200

/** All items of a list, read page by page. */
export async function* everyItem<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let after: string | null = null
  do {
    const page: Page<Item> = await list({ limit: pageSize, after })
    yield* page.items
    after = page.next
  } while (after !== null)
}

/** Cuts the one row too many that was read, which tells whether there is a next page. */
export function pageOf<Item>(
  rows: readonly Item[],
  { limit }: PageRequest,
  cursorOf: (item: Item) => string,
): Page<Item> {
  const items = rows.slice(0, limit)
  return { items, next: rows.length > limit ? cursorOf(items.at(-1)!) : null }
}
