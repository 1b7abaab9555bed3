import { Semaphore } from '@kron/runtime'

/** A semaphore for each tenant, so that one that does much holds up only itself. */
export class TenantTurns {
  readonly #semaphores = new Map<string, Semaphore>()
  readonly #atOnce: number
  readonly #maxWaiting: number

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /** How many tenants have something going on. */
  get size(): number {
    return this.#semaphores.size
  }

  /** Does the work when its turn comes; null, at once, when too many of the tenant's wait. */
  pass<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> | null {
    const semaphore = this.#semaphores.get(tenantId) ?? new Semaphore(this.#atOnce)
    const passed = semaphore.tryRun(work, this.#maxWaiting)
    if (passed === null) return null
    this.#semaphores.set(tenantId, semaphore)
    return passed.finally(() => {
      if (semaphore.isIdle) this.#semaphores.delete(tenantId)
    })
  }
}
