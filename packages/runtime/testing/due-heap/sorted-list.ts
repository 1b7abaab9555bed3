import fc from 'fast-check'
import { expect } from 'vitest'
import { DueHeap } from '../../src/due-heap/due-heap.js'

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

export interface SizeOfWorld {
  readonly keys: number
  readonly times: number
  readonly maxLength: number
  readonly numRuns: number
}

/** Random operations, on a heap and on the list, with the same answers. */
export function checkAgainstSortedList({ keys, times, maxLength, numRuns }: SizeOfWorld): void {
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
}
