import { expect, it } from 'vitest'
import { everyItem } from './page.js'

it('reads all items of a list, over all of its pages', async () => {
  const numbers = Array.from({ length: 5 }, (_, n) => n)
  const asked: (string | null)[] = []
  const list = async ({ after }: { readonly after: string | null }) => {
    asked.push(after)
    const from = after === null ? 0 : Number(after) + 1
    const items = numbers.slice(from, from + 2)
    const last = items.at(-1)!
    return { items, next: last === numbers.at(-1) ? null : String(last) }
  }
  const read: number[] = []
  for await (const item of everyItem(list)) read.push(item)
  expect(read).toEqual(numbers)
  expect(asked).toEqual([null, '1', '3'])
})
