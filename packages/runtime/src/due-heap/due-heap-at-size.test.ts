import { describe, expect, it } from 'vitest'
import { checkAgainstSortedList } from '../../testing/due-heap/sorted-list.js'
import { DueHeap } from './due-heap.js'

describe('a large due-time heap', () => {
  it.each([
    { keys: 60, times: 4, maxLength: 400, numRuns: 100 },
    { keys: 300, times: 1000, maxLength: 3000, numRuns: 20 },
  ])('does what a sorted list does, with $keys keys and $times times', (world) => {
    checkAgainstSortedList(world)
  })

  it('keeps a million entries in order, through updates and removals', () => {
    const million = 1_000_000
    const heap = new DueHeap<number>()
    const due = new Float64Array(million)
    const setAs = new Float64Array(million)
    let sets = 0
    let state = 1
    const setSomewhere = (key: number): void => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const time = state % 250_000
      if (time !== due[key] || !heap.has(key)) setAs[key] = sets++
      due[key] = time
      heap.set(key, time)
    }
    for (let key = 0; key < million; key++) setSomewhere(key)
    for (let key = 0; key < million; key += 3) setSomewhere(key)
    let removed = 0
    for (let key = 0; key < million; key += 10) if (heap.remove(key)) removed++
    expect(removed).toBe(100_000)
    expect(heap.size).toBe(900_000)

    const soon = heap.popDue(100_000)
    const late = heap.popDue(250_000)
    const all = [...soon, ...late]
    const inOrder = (before: number, after: number): boolean =>
      due[before]! < due[after]! || (due[before] === due[after] && setAs[before]! < setAs[after]!)
    expect(heap.size).toBe(0)
    expect(new Set(all).size).toBe(900_000)
    expect(soon.every((key) => due[key]! <= 100_000)).toBe(true)
    expect(late.every((key) => due[key]! > 100_000)).toBe(true)
    expect(all.every((key, index) => index === 0 || inOrder(all[index - 1]!, key))).toBe(true)
  })
})
