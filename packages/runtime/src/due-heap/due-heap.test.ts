import { ValidationError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DueHeap } from './due-heap.js'

/** The same contract, by an array that is sorted again for each question. */
class NaiveDueList {
  entries: { key: number; due: number; sequence: number }[] = []
  sequence = 0

  set(key: number, due: number): void {
    const entry = this.entries.find((candidate) => candidate.key === key)
    if (entry?.due === due) return
    this.remove(key)
    this.entries.push({ key, due, sequence: this.sequence++ })
    this.entries.sort((a, b) => a.due - b.due || a.sequence - b.sequence)
  }

  remove(key: number): boolean {
    const before = this.entries.length
    this.entries = this.entries.filter((entry) => entry.key !== key)
    return this.entries.length < before
  }

  peek(): { key: number; due: number } | undefined {
    const first = this.entries[0]
    return first && { key: first.key, due: first.due }
  }

  pop(): { key: number; due: number } | undefined {
    const first = this.peek()
    this.entries.shift()
    return first
  }

  popDue(now: number, limit: number): number[] {
    const due = this.entries.filter((entry) => entry.due <= now).slice(0, limit)
    this.entries = this.entries.filter((entry) => !due.includes(entry))
    return due.map((entry) => entry.key)
  }

  get(key: number): number | undefined {
    return this.entries.find((entry) => entry.key === key)?.due
  }
}

type Operation =
  | { kind: 'set'; key: number; due: number }
  | { kind: 'remove' | 'get'; key: number }
  | { kind: 'pop' | 'peek' | 'clear' }
  | { kind: 'popDue'; now: number; limit: number }

function operations(keys: number, times: number): fc.Arbitrary<Operation> {
  const key = fc.nat({ max: keys - 1 })
  const due = fc.nat({ max: times - 1 })
  const of = <T extends string>(kind: T) => fc.constant(kind)
  return fc.oneof(
    { weight: 60, arbitrary: fc.record({ kind: of('set'), key, due }) },
    { weight: 15, arbitrary: fc.record({ kind: of('remove'), key }) },
    { weight: 5, arbitrary: fc.record({ kind: of('get'), key }) },
    { weight: 10, arbitrary: fc.record({ kind: fc.constantFrom('pop', 'peek') }) },
    {
      weight: 8,
      arbitrary: fc.record({ kind: of('popDue'), now: due, limit: fc.nat({ max: 4 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: of('clear') }) },
  )
}

function apply(heap: DueHeap<number>, model: NaiveDueList, operation: Operation): void {
  switch (operation.kind) {
    case 'set':
      heap.set(operation.key, operation.due)
      model.set(operation.key, operation.due)
      break
    case 'remove':
      expect(heap.remove(operation.key)).toBe(model.remove(operation.key))
      break
    case 'get':
      expect(heap.get(operation.key)).toBe(model.get(operation.key))
      expect(heap.has(operation.key)).toBe(model.get(operation.key) !== undefined)
      break
    case 'pop':
      expect(heap.pop()).toEqual(model.pop())
      break
    case 'popDue': {
      const expected = model.popDue(operation.now, operation.limit)
      expect(heap.popDue(operation.now, operation.limit)).toEqual(expected)
      break
    }
    case 'clear':
      heap.clear()
      model.entries = []
      break
    case 'peek':
      break
  }
  expect(heap.peek()).toEqual(model.peek())
  expect(heap.size).toBe(model.entries.length)
}

describe('a due-time heap', () => {
  it.each([
    { keys: 5, times: 2, maxLength: 60, numRuns: 500 },
    { keys: 60, times: 4, maxLength: 400, numRuns: 100 },
    { keys: 300, times: 1000, maxLength: 3000, numRuns: 20 },
  ])('does what a sorted list does, with $keys keys and $times times', (world) => {
    const { keys, times, maxLength, numRuns } = world
    const sequence = fc.array(operations(keys, times), { maxLength, size: 'max' })
    fc.assert(
      fc.property(sequence, (all) => {
        const heap = new DueHeap<number>()
        const model = new NaiveDueList()
        for (const operation of all) apply(heap, model, operation)
        expect(heap.popDue(times)).toEqual(model.popDue(times, all.length))
        expect(heap.pop()).toBeUndefined()
      }),
      { numRuns },
    )
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
