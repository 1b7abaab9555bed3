interface Entry {
  readonly key: string
  due: number
  position: number
}

/** What one writes first: a binary heap of objects, and a map from keys to them. */
export class ObjectHeap {
  readonly #entries: Entry[] = []
  readonly #byKey = new Map<string, Entry>()

  set(key: string, due: number): void {
    const known = this.#byKey.get(key)
    if (known !== undefined) {
      known.due = due
      this.#up(known)
      this.#down(known)
      return
    }
    const entry = { key, due, position: this.#entries.length }
    this.#byKey.set(key, entry)
    this.#entries.push(entry)
    this.#up(entry)
  }

  pop(): { key: string; due: number } | undefined {
    const first = this.#entries[0]
    if (first === undefined) return undefined
    const last = this.#entries.pop()!
    if (last !== first) {
      this.#put(last, 0)
      this.#down(last)
    }
    this.#byKey.delete(first.key)
    return { key: first.key, due: first.due }
  }

  #up(entry: Entry): void {
    while (entry.position > 0) {
      const parent = this.#entries[(entry.position - 1) >> 1]!
      if (parent.due <= entry.due) return
      this.#swap(parent, entry)
    }
  }

  #down(entry: Entry): void {
    for (;;) {
      const left = entry.position * 2 + 1
      let child = this.#entries[left]
      if (child === undefined) return
      const right = this.#entries[left + 1]
      if (right !== undefined && right.due < child.due) child = right
      if (child.due >= entry.due) return
      this.#swap(entry, child)
    }
  }

  #swap(upper: Entry, lower: Entry): void {
    const upperPosition = upper.position
    this.#put(upper, lower.position)
    this.#put(lower, upperPosition)
  }

  #put(entry: Entry, position: number): void {
    entry.position = position
    this.#entries[position] = entry
  }
}
