import { nextChosenPeriod } from '@kron/core'
import type { Endpoint, Plan, QuotaHold } from '../domain/index.js'
import {
  type CompiledEndpoint,
  followingPlan,
  freePlan,
  isRun,
  waitingForQuota,
} from '../scheduling/index.js'

/** An endpoint on its way through a forecast. */
export class FollowedEndpoint {
  readonly #compiled: CompiledEndpoint
  readonly #now: number
  #plan: Plan
  #dueAt: number | null
  /** From here on only the schedule decides: no plan has to be made to know the next time. */
  #isBySchedule = false

  constructor(plan: Plan, compiled: CompiledEndpoint, now: number) {
    this.#compiled = compiled
    this.#now = now
    this.#plan = freePlan(plan, compiled, now).plan
    this.#dueAt = this.#plan.suspended ? null : this.#plan.nextRunAt
  }

  get dueAt(): number | null {
    return this.#dueAt
  }

  /** Whether that is a run, and not a time at which to plan again. */
  get isRun(): boolean {
    return this.#isBySchedule || isRun(this.#plan)
  }

  /** When it starts: what is late starts now. */
  get startsAt(): number {
    return Math.max(this.#now, this.#dueAt!)
  }

  /** The run starts, or the plan is made again. */
  advance(): void {
    if (this.#isBySchedule) {
      this.#dueAt = nextChosenPeriod(this.#compiled.job!, this.startsAt)?.chosenTime ?? null
      return
    }
    this.#plan = followingPlan(this.#plan, this.#compiled, this.startsAt)
    this.#dueAt = this.#plan.nextRunAt
    this.#isBySchedule = this.#plan.source === 'baseline-cron' && this.#isUnlimited
  }

  /** Passes over what is due before this instant, where nothing hangs on it. */
  skipTo(instant: number): void {
    if (!this.#isBySchedule || this.#dueAt === null || this.#dueAt >= instant) return
    this.#dueAt = nextChosenPeriod(this.#compiled.job!, instant - 1)?.chosenTime ?? null
  }

  /** The run can not start: that quota is used up. */
  waitFor(hold: QuotaHold): void {
    const due = { ...this.#plan, nextRunAt: this.#dueAt }
    this.#plan = waitingForQuota(due, hold, this.#compiled, this.startsAt)
    this.#dueAt = this.#plan.nextRunAt
    this.#isBySchedule = false
  }

  /** Hints and pauses only ever end; limits stay. */
  get #isUnlimited(): boolean {
    const { minIntervalMs, maxIntervalMs } = this.#compiled.endpoint.definition
    return minIntervalMs === null && maxIntervalMs === null
  }
}

/** The endpoint without what would be sent, which is most of it: for those who hold very many. */
export function scheduleOnly(endpoint: Endpoint): Endpoint {
  const { definition } = endpoint
  const nothing = { description: null, url: '', headers: {}, body: null }
  return { ...endpoint, definition: { ...definition, ...nothing } }
}
