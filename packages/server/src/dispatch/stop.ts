/** Work that ends when `cancel` is called. */
export interface Stoppable {
  cancel(): void
}

/**
 * Tells what is under way to end, and why. An AbortController would do; but ten thousand runs that
 * are due at once have one each, and hardly any is ever used, so this is as small as can be.
 */
export class Stop<Reason extends string = string> {
  #reason: Reason | null = null
  #listener: Stoppable | null = null
  #others: Set<Stoppable> | null = null
  #controller: AbortController | null = null

  /** Null while nobody has stopped it. */
  get reason(): Reason | null {
    return this.#reason
  }

  get isStopped(): boolean {
    return this.#reason !== null
  }

  /** Created on first use. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController()
      if (this.#reason !== null) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** The first reason stays. */
  stop(reason: Reason): void {
    if (this.#reason !== null) return
    this.#reason = reason
    const listeners = [
      ...(this.#listener === null ? [] : [this.#listener]),
      ...(this.#others ?? []),
    ]
    for (const listener of listeners) listener.cancel()
    this.#controller?.abort(reason)
  }

  /** How many listen. */
  get size(): number {
    return Number(this.#listener !== null) + (this.#others?.size ?? 0)
  }

  add(listener: Stoppable): void {
    if (this.#listener === null) this.#listener = listener
    else {
      this.#others ??= new Set()
      this.#others.add(listener)
    }
  }

  remove(listener: Stoppable): void {
    if (this.#listener === listener) this.#listener = null
    else this.#others?.delete(listener)
  }
}
