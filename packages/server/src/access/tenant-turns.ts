import { Turnstile } from './turnstile.js'

/** A turnstile for each tenant, so that one that does much holds up only itself. */
export class TenantTurns {
  readonly #turnstiles = new Map<string, Turnstile>()
  readonly #atOnce: number
  readonly #maxWaiting: number

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce
    this.#maxWaiting = maxWaiting
  }

  /** How many tenants have something going on. */
  get size(): number {
    return this.#turnstiles.size
  }

  /** Does the work when its turn comes; null, at once, when too many of the tenant's wait. */
  pass<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> | null {
    const known = this.#turnstiles.get(tenantId)
    const turnstile = known ?? new Turnstile(this.#atOnce, this.#maxWaiting)
    const passed = turnstile.pass(work)
    if (passed === null) return null
    this.#turnstiles.set(tenantId, turnstile)
    return passed.finally(() => {
      if (turnstile.isIdle) this.#turnstiles.delete(tenantId)
    })
  }
}
