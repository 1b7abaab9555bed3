import type { Page, PageRequest } from '../store/index.js'

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
