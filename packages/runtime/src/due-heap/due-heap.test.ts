import { ValidationError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAgainstSortedList } from '../../testing/due-heap/sorted-list.js'
import { DueHeap } from './due-heap.js'

describe('a due-time heap', () => {
  it('leaves in the order of time, whatever is moved, taken out and put in', () => {
    const heap = new DueHeap<number>()
    const due = new Map<number, number>()
    const set = (key: number, time: number): void => {
      heap.set(key, time)
      due.set(key, time)
    }
    // All times differ, and the order in which they come in is far from theirs.
    for (let key = 0; key < 85; key++) set(key, (key * 37) % 101)
    for (let key = 0; key < 85; key += 4) set(key, 101 + ((key * 53) % 97))
    for (let key = 1; key < 85; key += 4) set(key, -1 - ((key * 29) % 89))
    for (let key = 2; key < 85; key += 8)
      expect([heap.remove(key), due.delete(key)]).toEqual([true, true])
    for (let key = 85; key < 95; key++) set(key, 300 - key * 3.5)
    for (const [key, time] of due) expect(heap.get(key)).toBe(time)
    const inOrder = [...due.keys()].sort((a, b) => due.get(a)! - due.get(b)!)
    expect(heap.size).toBe(due.size)
    expect(heap.popDue(0)).toEqual(inOrder.filter((key) => due.get(key)! <= 0))
    const rest = inOrder.filter((key) => due.get(key)! > 0)
    expect(heap.popDue(1000, 10)).toEqual(rest.slice(0, 10))
    expect(rest.slice(10).map(() => heap.pop()?.key)).toEqual(rest.slice(10))
    expect([heap.pop(), heap.peek(), heap.size]).toEqual([undefined, undefined, 0])
  })

  it.each([
    { title: 'the one at the front', removed: 'a', left: 'bcdefgh' },
    { title: 'the one at the end', removed: 'h', left: 'abcdefg' },
    { title: 'one between', removed: 'c', left: 'abdefgh' },
  ])('without $title keeps the order of the others', ({ removed, left }) => {
    const heap = new DueHeap<string>()
    for (const key of 'hdbfaceg') heap.set(key, key.charCodeAt(0))
    expect([heap.remove(removed), heap.remove(removed)]).toEqual([true, false])
    expect([heap.has(removed), heap.get(removed), heap.size]).toEqual([false, undefined, 7])
    expect(heap.popDue(1000).join('')).toBe(left)
  })

  it('lifts the last entry above the vacant place where that is needed', () => {
    const heap = new DueHeap<number>()
    // Positions 1 to 4 are children of the first; 5 to 8 of position 1, which is late; 9 and on of
    // position 2, which is early. Taking out one below position 1 moves a late or early one there.
    const dues = [0, 50, 10, 20, 30, 60, 61, 62, 63, 11, 12]
    for (const [key, due] of dues.entries()) heap.set(key, due)
    heap.remove(6)
    expect(heap.popDue(100)).toEqual([0, 2, 9, 10, 3, 4, 1, 5, 7, 8])
  })

  it('uses the places of what left again, beyond its first capacity too', () => {
    const heap = new DueHeap<string>()
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 40; n++) heap.set(`${round}/${n}`, 40 - n)
      expect(heap.popDue(20).length).toBe(20)
      expect(heap.popDue(40)).toEqual(Array.from({ length: 20 }, (_, n) => `${round}/${19 - n}`))
    }
  })

  it('takes no more memory for a key that comes and goes for ever', () => {
    const heap = new DueHeap<string>()
    const before = process.memoryUsage().arrayBuffers
    for (let round = 0; round < 200_000; round++) {
      heap.set('job', round)
      heap.pop()
    }
    // A place for each round would be 6 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000)
  })

  it.each([
    { keys: 5, times: 2, maxLength: 60, numRuns: 200 },
    { keys: 60, times: 4, maxLength: 200, numRuns: 20 },
  ])('does what a sorted list does, with $keys keys and $times times', (world) => {
    checkAgainstSortedList(world)
  })

  it('lets keys of the same time leave in the order they were set', () => {
    const heap = new DueHeap<string>()
    for (const key of 'qwertyuiop') heap.set(key, 5)
    expect(heap.popDue(5).join('')).toBe('qwertyuiop')
  })

  it('keeps the place of a key that is set to the time it has', () => {
    const heap = new DueHeap<string>()
    for (const key of 'abc') heap.set(key, 5)
    heap.set('a', 5)
    expect(heap.popDue(5)).toEqual(['a', 'b', 'c'])
  })

  it('puts a key that comes back to a time behind those that have it', () => {
    const heap = new DueHeap<string>()
    for (const key of 'abc') heap.set(key, 5)
    heap.set('a', 6)
    heap.set('a', 5)
    expect(heap.popDue(5)).toEqual(['b', 'c', 'a'])
  })

  it('takes what is due at the instant itself and leaves the rest', () => {
    const heap = new DueHeap<string>()
    heap.set('later', 11)
    heap.set('now', 10)
    heap.set('before', -3.5)
    expect(heap.popDue(10)).toEqual(['before', 'now'])
    expect(heap.peek()).toEqual({ key: 'later', due: 11 })
    expect(heap.popDue(10)).toEqual([])
  })

  it('holds keys of any kind, also undefined and NaN', () => {
    const heap = new DueHeap<unknown>()
    const object = {}
    const keys = [undefined, Number.NaN, object, null, '']
    for (const [index, key] of keys.entries()) heap.set(key, index)
    expect(heap.size).toBe(5)
    expect(heap.get(undefined)).toBe(0)
    expect(heap.remove(Number.NaN)).toBe(true)
    expect(heap.popDue(9)).toEqual([undefined, object, null, ''])
  })

  it('goes on after it was cleared', () => {
    const heap = new DueHeap<number>()
    for (let key = 0; key < 100; key++) heap.set(key, -key)
    heap.clear()
    expect(heap.size).toBe(0)
    expect(heap.has(3)).toBe(false)
    expect(heap.peek()).toBeUndefined()
    heap.set(3, 1)
    expect(heap.pop()).toEqual({ key: 3, due: 1 })
  })
})

describe('what a due-time heap refuses', () => {
  it.each([Number.NaN, Infinity, -Infinity, '5', 5n, null, undefined, {}])(
    '%s as a time',
    (value) => {
      const heap = new DueHeap<string>()
      heap.set('there', 1)
      const time = value as number
      expect(() => heap.set('new', time)).toThrow(ValidationError)
      expect(() => heap.set('there', time)).toThrow(ValidationError)
      expect(() => heap.popDue(time)).toThrow(ValidationError)
      expect(heap.size).toBe(1)
      expect(heap.get('there')).toBe(1)
    },
  )

  it.each([-1, 1.5, Number.NaN, '2', null])('%s as a limit', (value) => {
    const limit = value as number
    const heap = new DueHeap<string>()
    expect(() => heap.popDue(1, limit)).toThrow(ValidationError)
    if (limit !== null) expect(() => new DueHeap({ limit })).toThrow(ValidationError)
  })

  it.each([
    {
      title: 'a limit of itself',
      refused: () => new DueHeap({ limit: 0 }),
      code: 'KRON_PARAMETER_RANGE',
      message: 'limit must be a whole number from 1 to 8388608, got 0',
      details: { field: 'limit', value: 0, allowed: 'a whole number from 1 to 8388608' },
    },
    {
      title: 'a limit of what is taken out',
      refused: () => new DueHeap().popDue(0, -1),
      code: 'KRON_PARAMETER_RANGE',
      message: 'limit must be a whole number, zero or more, got -1',
      details: { field: 'limit', value: -1, allowed: 'a whole number, zero or more' },
    },
    {
      title: 'a time to be due',
      refused: () => new DueHeap().set('a', Infinity),
      code: 'KRON_INSTANT_INVALID',
      message: 'due must be a finite number of milliseconds, got Infinity',
      details: { field: 'due', value: Infinity, allowed: 'a finite number' },
    },
    {
      title: 'a time that is now',
      refused: () => new DueHeap().popDue('5' as never),
      code: 'KRON_INSTANT_INVALID',
      message: 'now must be a finite number of milliseconds, got "5"',
      details: { field: 'now', value: '5', allowed: 'a finite number' },
    },
  ])('with what was expected: $title', ({ refused, code, message, details }) => {
    expect(refused).toThrow(expect.objectContaining({ code, message, details }))
  })

  it('nothing of one entry when its limit is one', () => {
    const heap = new DueHeap<string>({ limit: 1 })
    heap.set('a', 1)
    expect(() => heap.set('b', 1)).toThrow('size must be at most 1 entries, got 2')
    expect(heap.popDue(1)).toEqual(['a'])
  })

  it('more entries than its limit, but not updates', () => {
    const heap = new DueHeap<string>({ limit: 2 })
    heap.set('a', 1)
    heap.set('b', 2)
    expect(() => heap.set('c', 3)).toThrow('size must be at most 2 entries, got 3')
    heap.set('a', 3)
    heap.remove('b')
    heap.set('c', 4)
    expect(heap.popDue(9)).toEqual(['a', 'c'])
    expect(() => new DueHeap({ limit: 2 ** 23 + 1 })).toThrow(ValidationError)
  })

  it('counts what is due by a time, and no further than asked', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 }),
        fc.integer({ min: -1, max: 51 }),
        fc.integer({ min: 1, max: 70 }),
        (dues, until, most) => {
          const heap = new DueHeap<number>()
          for (const [key, due] of dues.entries()) heap.set(key, due)
          const count = dues.filter((due) => due <= until).length
          expect(heap.countDue(until, most)).toBe(Math.min(count, most))
        },
      ),
    )
  })
})
