import { expect } from 'vitest'
import type { Page, PageRequest } from '../../src/store/page.js'

/**
 * All items, page by page. No page is larger than was asked for, only the last is smaller, and none
 * is empty that the one before spoke of.
 */
export async function everyPage<Item>(
  limit: number,
  list: (page: PageRequest) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  let after: string | null = null
  do {
    const page: Page<Item> = await list({ limit, after })
    if (page.next !== null) expect(page.items).toHaveLength(limit)
    expect(page.items.length).toBeLessThanOrEqual(limit)
    if (after !== null) {
      expect(page.next, 'a cursor that moves on').not.toBe(after)
      expect(page.items, 'a page that was spoken of').not.toEqual([])
    }
    items.push(...page.items)
    after = page.next
  } while (after !== null)
  return items
}
