import {
  monthEnd,
  type QuotaHold,
  type SystemQuotas,
  type SystemUsage,
  type Tenant,
  type Usage,
} from '../domain/index.js'

/** A quota of runs, and what is used of it; null is no limit. */
interface RunQuota {
  readonly perMonth: number | null
  readonly used: number
}

const noLimit: RunQuota = { perMonth: null, used: 0 }

/** What the quotas of a tenant and of the system leave for runs, while runs are foretold. */
export class RunAllowance {
  readonly systemPerMonth: number | null
  readonly #tenant: MonthlyAllowance
  readonly #system: MonthlyAllowance

  /** `used` in the month of `now`. */
  constructor(perMonth: number | null, used: number, now: number, system = noLimit) {
    this.systemPerMonth = system.perMonth
    this.#tenant = new MonthlyAllowance({ perMonth, used }, now)
    this.#system = new MonthlyAllowance(system, now)
  }

  get isUnlimited(): boolean {
    return this.#tenant.isUnlimited && this.#system.isUnlimited
  }

  /**
   * Which quota lets no run start at this instant, if one does not. Instants are asked about in the
   * order of time.
   */
  holdAt(at: number): QuotaHold | null {
    if (this.#tenant.isUsedUp(at)) return 'quota'
    return this.#system.isUsedUp(at) ? 'system-quota' : null
  }

  /** A run starts at this instant, at which no quota is used up. */
  take(at: number): void {
    if (this.holdAt(at) !== null) return
    this.#tenant.take()
    this.#system.take()
  }
}

/** From month to month. */
class MonthlyAllowance {
  readonly #perMonth: number | null
  #left: number
  #resetsAt: number

  constructor({ perMonth, used }: RunQuota, now: number) {
    this.#perMonth = perMonth
    this.#left = (perMonth ?? Number.POSITIVE_INFINITY) - used
    this.#resetsAt = monthEnd(now)
  }

  get isUnlimited(): boolean {
    return this.#perMonth === null
  }

  isUsedUp(at: number): boolean {
    if (this.#perMonth === null) return false
    if (at >= this.#resetsAt) {
      this.#left = this.#perMonth
      this.#resetsAt = monthEnd(at)
    }
    return this.#left <= 0
  }

  take(): void {
    this.#left -= 1
  }
}

export const noQuota = (): RunAllowance => new RunAllowance(null, 0, 0)

/** Where quotas and what is used of them can be read: a transaction of a tenant, or a part of it. */
export interface QuotaRows {
  readonly now: number
  readonly tenant: {
    get(): Promise<Pick<Tenant, 'quotas'>>
    usage(): Promise<Usage>
  }
  readonly system: {
    readonly quotas: SystemQuotas
    usage(): Promise<SystemUsage>
  }
}

export async function runAllowance(rows: QuotaRows): Promise<RunAllowance> {
  const { tenant, system, now } = rows
  const { runsPerMonth } = (await tenant.get()).quotas
  const used = runsPerMonth === null ? 0 : (await tenant.usage()).runs
  const perMonth = system.quotas.runsPerMonth
  const ofAll = perMonth === null ? noLimit : { perMonth, used: (await system.usage()).runs }
  return new RunAllowance(runsPerMonth, used, now, ofAll)
}
