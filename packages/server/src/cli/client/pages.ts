import type { ApiClient, Query } from './api-client.js'

interface PageDocument<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

const pageSize = 200

/** Up to `most` items of a list, page by page. */
export async function listed<Item>(
  client: ApiClient,
  path: string,
  query: Query,
  most: number,
): Promise<{ readonly items: readonly Item[]; readonly more: boolean }> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(pageSize, most - items.length)
    const page: PageDocument<Item> = await client.get(path, { ...query, limit, cursor })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < most)
  return { items, more: cursor !== null }
}
