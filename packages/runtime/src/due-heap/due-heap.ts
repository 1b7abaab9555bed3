import { quote, ValidationError } from '@kron/core'

export interface DueHeapOptions {
  /** The most entries it may hold, at most and by default 8,388,608. */
  readonly limit?: number
}

/**
 * Half of what a Map can hold: below that it can always make room for another entry, whatever was
 * removed before.
 */
const maxEntries = 2 ** 23
const firstCapacity = 16
const noSlot = -1

/**
 * Keys by the time they are due, earliest first; keys of the same time leave in the order they
 * were set. `set`, `remove` and `pop` take O(log n), the others O(1).
 *
 * A 4-ary heap in typed arrays, without an object for each entry. What is compared (due time, then
 * sequence number) lies in heap order, so that the children of a node are neighbours in memory.
 * Each entry also owns a slot that stays the same while it moves: `keys[slot]` is its key,
 * `positions[slot]` its place in the heap. Free slots are a list through `positions`.
 */
export class DueHeap<K> {
  readonly #limit: number
  readonly #slotOf = new Map<K, number>()
  #size = 0
  #nextSequence = 0
  #firstFreeSlot = noSlot
  #slotsUsed = 0
  #keys: (K | undefined)[] = []
  #positions = new Int32Array(firstCapacity)
  #dues = new Float64Array(firstCapacity)
  #sequences = new Float64Array(firstCapacity)
  #slots = new Int32Array(firstCapacity)

  constructor(options: DueHeapOptions = {}) {
    const limit = options?.limit ?? maxEntries
    if (!Number.isInteger(limit) || limit < 1 || limit > maxEntries) {
      throw outOfRange('limit', limit, `a whole number from 1 to ${maxEntries}`)
    }
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  has(key: K): boolean {
    return this.#slotOf.has(key)
  }

  /** When the key is due. */
  get(key: K): number | undefined {
    const slot = this.#slotOf.get(key)
    return slot === undefined ? undefined : this.#dues[this.#positions[slot]!]
  }

  /**
   * Inserts the key, or changes when it is due. Setting the time that it has already keeps its
   * place among equals; another time puts it behind those that have that time.
   */
  set(key: K, due: number): void {
    checkTime(due, 'due')
    const slot = this.#slotOf.get(key)
    if (slot === undefined) this.#insert(key, due)
    else this.#reschedule(this.#positions[slot]!, slot, due)
  }

  remove(key: K): boolean {
    const slot = this.#slotOf.get(key)
    if (slot === undefined) return false
    this.#removeAt(this.#positions[slot]!)
    return true
  }

  /** How many are due by then, counting no further than `most`: takes O(that many). */
  countDue(until: number, most: number): number {
    let count = 0
    const open = this.#size > 0 ? [0] : []
    for (let position = open.pop(); position !== undefined && count < most; position = open.pop()) {
      if (this.#dues[position]! > until) continue
      count++
      const first = firstChildOf(position)
      for (let child = first; child < Math.min(first + 4, this.#size); child++) open.push(child)
    }
    return count
  }

  peek(): { key: K; due: number } | undefined {
    if (this.#size === 0) return undefined
    return { key: this.#keys[this.#slots[0]!] as K, due: this.#dues[0]! }
  }

  pop(): { key: K; due: number } | undefined {
    const first = this.peek()
    if (first !== undefined) this.#removeAt(0)
    return first
  }

  /** Takes out all keys that are due at `now`, in order, but no more than `limit`. */
  popDue(now: number, limit = Number.MAX_SAFE_INTEGER): K[] {
    checkTime(now, 'now')
    if (!Number.isInteger(limit) || limit < 0) {
      throw outOfRange('limit', limit, 'a whole number, zero or more')
    }
    const keys: K[] = []
    while (keys.length < limit && this.#size > 0 && this.#dues[0]! <= now) {
      keys.push(this.#keys[this.#slots[0]!] as K)
      this.#removeAt(0)
    }
    return keys
  }

  /** Forgets all, and gives the memory back. */
  clear(): void {
    this.#slotOf.clear()
    this.#size = 0
    this.#firstFreeSlot = noSlot
    this.#slotsUsed = 0
    this.#keys = []
    this.#positions = new Int32Array(firstCapacity)
    this.#dues = new Float64Array(firstCapacity)
    this.#sequences = new Float64Array(firstCapacity)
    this.#slots = new Int32Array(firstCapacity)
  }

  #insert(key: K, due: number): void {
    if (this.#size >= this.#limit) {
      throw outOfRange('size', this.#size + 1, `at most ${this.#limit} entries`)
    }
    const slot = this.#takeSlot()
    this.#slotOf.set(key, slot)
    this.#keys[slot] = key
    this.#size++
    this.#siftUp(this.#size - 1, due, this.#nextSequence++, slot)
  }

  #reschedule(position: number, slot: number, due: number): void {
    const before = this.#dues[position]!
    if (due === before) return
    const sequence = this.#nextSequence++
    if (due < before) this.#siftUp(position, due, sequence, slot)
    else this.#siftDown(position, due, sequence, slot)
  }

  /** The last entry takes the vacant place, and moves up or down from there. */
  #removeAt(position: number): void {
    this.#giveBackSlot(this.#slots[position]!)
    const last = --this.#size
    if (position === last) return
    const due = this.#dues[last]!
    const sequence = this.#sequences[last]!
    const slot = this.#slots[last]!
    if (position > 0 && this.#isBefore(due, sequence, parentOf(position))) {
      this.#siftUp(position, due, sequence, slot)
    } else {
      this.#siftDown(position, due, sequence, slot)
    }
  }

  #siftUp(position: number, due: number, sequence: number, slot: number): void {
    while (position > 0) {
      const parent = parentOf(position)
      if (!this.#isBefore(due, sequence, parent)) break
      this.#move(parent, position)
      position = parent
    }
    this.#place(position, due, sequence, slot)
  }

  #siftDown(position: number, due: number, sequence: number, slot: number): void {
    for (;;) {
      const child = this.#earliestChild(position)
      if (child >= this.#size || this.#isBefore(due, sequence, child)) break
      this.#move(child, position)
      position = child
    }
    this.#place(position, due, sequence, slot)
  }

  /** At or beyond the size when there is none. */
  #earliestChild(position: number): number {
    const first = firstChildOf(position)
    const end = Math.min(first + 4, this.#size)
    let earliest = first
    for (let child = first + 1; child < end; child++) {
      if (this.#isBefore(this.#dues[child]!, this.#sequences[child]!, earliest)) earliest = child
    }
    return earliest
  }

  #isBefore(due: number, sequence: number, position: number): boolean {
    const other = this.#dues[position]!
    return due < other || (due === other && sequence < this.#sequences[position]!)
  }

  #move(from: number, to: number): void {
    this.#place(to, this.#dues[from]!, this.#sequences[from]!, this.#slots[from]!)
  }

  #place(position: number, due: number, sequence: number, slot: number): void {
    this.#dues[position] = due
    this.#sequences[position] = sequence
    this.#slots[position] = slot
    this.#positions[slot] = position
  }

  #takeSlot(): number {
    const free = this.#firstFreeSlot
    if (free !== noSlot) {
      this.#firstFreeSlot = this.#positions[free]!
      return free
    }
    if (this.#slotsUsed === this.#positions.length) this.#grow()
    return this.#slotsUsed++
  }

  #giveBackSlot(slot: number): void {
    this.#slotOf.delete(this.#keys[slot] as K)
    this.#keys[slot] = undefined
    this.#positions[slot] = this.#firstFreeSlot
    this.#firstFreeSlot = slot
  }

  #grow(): void {
    const capacity = this.#positions.length * 2
    this.#positions = copied(new Int32Array(capacity), this.#positions)
    this.#dues = copied(new Float64Array(capacity), this.#dues)
    this.#sequences = copied(new Float64Array(capacity), this.#sequences)
    this.#slots = copied(new Int32Array(capacity), this.#slots)
  }
}

const parentOf = (position: number): number => (position - 1) >> 2
const firstChildOf = (position: number): number => position * 4 + 1

function copied<A extends Int32Array | Float64Array>(target: A, source: A): A {
  target.set(source)
  return target
}

function checkTime(value: unknown, field: string): void {
  if (Number.isFinite(value)) return
  throw new ValidationError(
    'KRON_INSTANT_INVALID',
    `${field} must be a finite number of milliseconds, got ${quote(value)}`,
    { field, value, allowed: 'a finite number' },
  )
}

function outOfRange(field: string, value: unknown, allowed: string): ValidationError {
  return new ValidationError(
    'KRON_PARAMETER_RANGE',
    `${field} must be ${allowed}, got ${quote(value)}`,
    { field, value, allowed },
  )
}
