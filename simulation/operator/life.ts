/**
 * One life of a process: it can end at any moment, at which nothing it waits for comes any more and
 * nothing it does has an effect; and it can stand still for a while.
 */
export class Life {
  readonly name: string
  readonly #death = new AbortController()
  #boundaries = 0
  #deathAt = Number.POSITIVE_INFINITY
  #thawed: Promise<void> | null = null
  #thaw: () => void = () => undefined
  readonly #thawListeners: (() => void)[] = []

  constructor(name: string) {
    this.name = name
  }

  get isDead(): boolean {
    return this.#death.signal.aborted
  }

  get death(): AbortSignal {
    return this.#death.signal
  }

  die(): void {
    this.#death.abort()
    this.thaw()
  }

  /** At the n-th boundary from now; each request has two. */
  dieIn(boundaries: number): void {
    this.#deathAt = this.#boundaries + boundaries
  }

  freeze(): void {
    if (this.#thawed !== null || this.isDead) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#thawed = promise
    this.#thaw = resolve
  }

  thaw(): void {
    if (this.#thawed === null) return
    this.#thawed = null
    for (const listener of this.#thawListeners) listener()
    this.#thaw()
  }

  onThaw(listener: () => void): void {
    this.#thawListeners.push(listener)
  }

  /** Resolves when the process can go on; never, if it is dead. */
  async awake(): Promise<void> {
    while (this.#thawed !== null) await this.#thawed
    if (this.isDead) await new Promise(() => undefined)
  }

  async act<T>(effect: () => Promise<T>): Promise<T> {
    await this.#pass()
    const answer = await effect().then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error
      },
    )
    await this.#pass()
    return answer()
  }

  /** A wait without an effect, such as a sleep. */
  async wait(promise: Promise<void>): Promise<void> {
    try {
      await promise
    } finally {
      await this.awake()
    }
  }

  async #pass(): Promise<void> {
    if (++this.#boundaries >= this.#deathAt) this.die()
    if (this.#thawed !== null || this.isDead) await this.awake()
  }
}
