import { expect, it } from 'vitest'
import { SweptMap } from './swept-map.js'

const entry = () => ({ isForgettable: false })

it('keeps all that is in use', () => {
  const map = new SweptMap<number, ReturnType<typeof entry>>()
  for (let key = 0; key < 1_000; key++) map.set(key, entry())
  expect(map.size).toBe(1_000)
  expect(map.get(0)).toBeDefined()
})

it('grows with what is in use and not with what ever was', () => {
  const map = new SweptMap<number, ReturnType<typeof entry>>()
  const inUse: ReturnType<typeof entry>[] = []
  let largest = 0
  for (let key = 0; key < 10_000; key++) {
    const added = entry()
    inUse.push(added)
    map.set(key, added)
    if (inUse.length > 10) inUse.shift()!.isForgettable = true
    largest = Math.max(largest, map.size)
  }
  expect(largest).toBeLessThanOrEqual(4 * 11)
})

it('keeps what will be needed again soon', () => {
  const map = new SweptMap<string, ReturnType<typeof entry>>()
  const idle = { isForgettable: true }
  map.set('idle', idle)
  for (let key = 0; key < 10; key++) map.set(`${key}`, entry())
  expect(map.get('idle')).toBe(idle)
})
