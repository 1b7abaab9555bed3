/** Thrown by what a dead process still tries; nobody sees it. */
export class DeadProcessError extends Error {}

/**
 * One life of a process. Everything it does to the world passes through `act` or `read`, each an
 * effect with a number; the life can end before or after any of them. What a dead process awaits
 * never comes, and what it does has no effect.
 */
export class Mortality {
  readonly died: Promise<void>
  #dead = false
  #effects = 0
  #deathAt: number
  readonly #die: () => void

  /** `deathAt`: the number of the boundary at which it dies; two for each effect. */
  constructor(deathAt = Number.POSITIVE_INFINITY) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.died = promise
    this.#die = resolve
    this.#deathAt = deathAt
  }

  get isDead(): boolean {
    return this.#dead
  }

  /** Dies at the n-th boundary from now. */
  dieIn(boundaries: number): void {
    this.#deathAt = this.#effects + boundaries
  }

  die(): void {
    this.#dead = true
    this.#die()
  }

  /** An effect whose answer comes later. */
  async act<T>(_: string, effect: () => Promise<T>): Promise<T> {
    if (this.#passes()) return never()
    const answer = await effect().then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error
      },
    )
    return this.#passes() ? never() : answer()
  }

  /** An effect whose answer comes at once. */
  actNow<T>(name: string, effect: () => T): T {
    if (this.#passes()) throw new DeadProcessError(name)
    const answer = effect()
    if (this.#passes()) throw new DeadProcessError(name)
    return answer
  }

  /** Waits without an effect: the life may end meanwhile, but not because of it. */
  async await<T>(promise: Promise<T>): Promise<T> {
    const value = await promise
    return this.#dead ? never() : value
  }

  #passes(): boolean {
    if (this.#dead) return true
    if (++this.#effects < this.#deathAt) return false
    this.die()
    return true
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined)
}
