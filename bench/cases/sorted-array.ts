interface Entry {
  readonly key: string
  readonly due: number
}

/** Latest first, so that the earliest is taken from the end; a change moves half of the array. */
export class SortedArray {
  #entries: Entry[] = []
  readonly #dueOf = new Map<string, number>()

  /** All at once: inserting a million one by one would take minutes. */
  fill(keys: readonly string[], dues: Float64Array): void {
    this.#entries = keys.map((key, index) => ({ key, due: dues[index]! }))
    this.#entries.sort((a, b) => b.due - a.due)
    for (const { key, due } of this.#entries) this.#dueOf.set(key, due)
  }

  set(key: string, due: number): void {
    const before = this.#dueOf.get(key)
    if (before !== undefined) this.#takeOut(key, before)
    this.#dueOf.set(key, due)
    this.#entries.splice(this.#firstNotAfter(due), 0, { key, due })
  }

  pop(): Entry | undefined {
    const entry = this.#entries.pop()
    if (entry !== undefined) this.#dueOf.delete(entry.key)
    return entry
  }

  #takeOut(key: string, due: number): void {
    let index = this.#firstNotAfter(due)
    while (this.#entries[index]!.key !== key) index++
    this.#entries.splice(index, 1)
  }

  #firstNotAfter(due: number): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#entries[middle]!.due > due) low = middle + 1
      else high = middle
    }
    return low
  }
}
