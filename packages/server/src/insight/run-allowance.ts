import { monthEnd } from '../domain/index.js'
import type { TenantTransaction } from '../store/index.js'

/** What a tenant's quota leaves for runs, from month to month, while runs are foretold. */
export class RunAllowance {
  readonly #perMonth: number | null
  #left: number
  #resetsAt: number

  /** `used` in the month of `now`; null is no limit. */
  constructor(perMonth: number | null, used: number, now: number) {
    this.#perMonth = perMonth
    this.#left = (perMonth ?? Number.POSITIVE_INFINITY) - used
    this.#resetsAt = monthEnd(now)
  }

  get isUnlimited(): boolean {
    return this.#perMonth === null
  }

  /** Whether no run may start at this instant. Instants are asked about in the order of time. */
  isUsedUp(at: number): boolean {
    if (this.#perMonth === null) return false
    if (at >= this.#resetsAt) {
      this.#left = this.#perMonth
      this.#resetsAt = monthEnd(at)
    }
    return this.#left <= 0
  }

  /** A run starts at this instant, at which the quota is not used up. */
  take(at: number): void {
    if (!this.isUsedUp(at)) this.#left -= 1
  }
}

export const noQuota = (): RunAllowance => new RunAllowance(null, 0, 0)

export async function runAllowance({ tenant, now }: TenantTransaction): Promise<RunAllowance> {
  const { runsPerMonth } = (await tenant.get()).quotas
  if (runsPerMonth === null) return noQuota()
  return new RunAllowance(runsPerMonth, (await tenant.usage()).runs, now)
}
