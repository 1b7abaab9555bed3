/** Events of one watch that nobody has taken yet, in order, and how it ends. */
export class EventQueue<T> {
  readonly #waiting: T[] = []
  #end: { readonly error?: unknown } | undefined
  #wake: () => void = () => undefined

  push(event: T): void {
    if (this.#end !== undefined) return
    this.#waiting.push(event)
    this.#wake()
  }

  /** What is still waiting is delivered first. */
  end(): void {
    this.#finish({})
  }

  /** What is still waiting is lost. */
  fail(error: unknown): void {
    this.#waiting.length = 0
    this.#finish({ error })
  }

  async *drain(): AsyncGenerator<T, void, undefined> {
    let taken = 0
    for (;;) {
      if (taken < this.#waiting.length) {
        yield this.#waiting[taken++]!
      } else if (this.#end !== undefined) {
        if ('error' in this.#end) throw this.#end.error
        return
      } else {
        this.#waiting.length = taken = 0
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#wake = resolve
        await promise
      }
    }
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end
    this.#wake()
  }
}
