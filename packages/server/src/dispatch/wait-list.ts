/** A place in a line, which is embedded in the object that stands in it. */
export interface Waiter {
  ahead: Waiter | null
  behind: Waiter | null
}

/** First in, first out; an entry leaves from the middle in O(1). */
export class WaitList<W extends Waiter> {
  #first: W | null = null
  #last: W | null = null

  get isEmpty(): boolean {
    return this.#first === null
  }

  get first(): W | null {
    return this.#first
  }

  push(waiter: W): void {
    waiter.ahead = this.#last
    if (this.#last === null) this.#first = waiter
    else this.#last.behind = waiter
    this.#last = waiter
  }

  shift(): W | null {
    const first = this.#first
    if (first !== null) this.remove(first)
    return first
  }

  /** False for a waiter that is not in line. */
  remove(waiter: W): boolean {
    if (waiter.ahead === null && this.#first !== waiter) return false
    if (waiter.ahead === null) this.#first = waiter.behind as W | null
    else waiter.ahead.behind = waiter.behind
    if (waiter.behind === null) this.#last = waiter.ahead as W | null
    else waiter.behind.ahead = waiter.ahead
    waiter.ahead = null
    waiter.behind = null
    return true
  }
}
