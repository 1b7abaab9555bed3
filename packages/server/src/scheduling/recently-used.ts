interface Entry<Value> {
  readonly key: string
  readonly value: Value
  older: Entry<Value> | null
  newer: Entry<Value> | null
}

/**
 * Values by key, of which those that were not used for longest are forgotten. The order is a list of
 * its own: a Map that keeps it by deleting and adding has to step over all that was deleted.
 */
export class RecentlyUsed<Value> {
  readonly #most: number
  readonly #entries = new Map<string, Entry<Value>>()
  #newest: Entry<Value> | null = null
  #oldest: Entry<Value> | null = null

  constructor(most: number) {
    this.#most = most
  }

  /** Without using it. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  use(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined || entry === this.#newest) return
    this.#unlink(entry)
    this.#append(entry)
  }

  set(key: string, value: Value): void {
    this.delete(key)
    const entry: Entry<Value> = { key, value, older: null, newer: null }
    this.#entries.set(key, entry)
    this.#append(entry)
    if (this.#entries.size > this.#most) this.delete(this.#oldest!.key)
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#unlink(entry)
  }

  #append(entry: Entry<Value>): void {
    entry.older = this.#newest
    entry.newer = null
    if (this.#newest === null) this.#oldest = entry
    else this.#newest.newer = entry
    this.#newest = entry
  }

  #unlink({ older, newer }: Entry<Value>): void {
    if (older === null) this.#oldest = newer
    else older.newer = newer
    if (newer === null) this.#newest = older
    else newer.older = older
  }
}
