/** Ends a request when its time is up, or when its caller does not want it any more. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout
  #isExpired = false

  constructor(limitMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller
    this.#timer = setTimeout(() => {
      this.#isExpired = true
      this.#controller.abort(new Error(`no answer within ${limitMs / 1000} s`))
    }, limitMs)
    caller?.addEventListener('abort', this.#give, { once: true })
    if (caller?.aborted) this.#give()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get isExpired(): boolean {
    return this.#isExpired
  }

  /** The promise, or the end of the patience with it. */
  async race<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this
    let give: (() => void) | undefined
    try {
      return await Promise.race([
        promise,
        new Promise<never>((_, reject) => {
          give = () => reject(signal.reason)
          signal.addEventListener('abort', give)
          if (signal.aborted) give()
        }),
      ])
    } finally {
      if (give !== undefined) signal.removeEventListener('abort', give)
    }
  }

  /** It has begun, and may take as long as it takes. */
  lift(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#caller?.removeEventListener('abort', this.#give)
  }

  readonly #give = (): void => this.#controller.abort(this.#caller!.reason)
}
