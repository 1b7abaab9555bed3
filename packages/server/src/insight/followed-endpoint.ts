import { nextChosenPeriod } from '@kron/core'
import type { Plan } from '../domain/index.js'
import type { CompiledEndpoint } from '../planning/index.js'
import { followingPlan, freePlan } from './following-plan.js'

/** An endpoint on its way through a forecast. */
export class FollowedEndpoint {
  readonly #compiled: CompiledEndpoint
  #plan: Plan
  #dueAt: number | null
  /** From here on only the schedule decides: no plan has to be made to know the next time. */
  #isBySchedule = false

  constructor(plan: Plan, compiled: CompiledEndpoint, now: number) {
    this.#compiled = compiled
    this.#plan = freePlan(plan, compiled, now)
    this.#dueAt = this.#plan.suspended ? null : this.#plan.nextRunAt
  }

  get dueAt(): number | null {
    return this.#dueAt
  }

  /** Whether that is a run, and not a time at which to plan again. */
  get isRun(): boolean {
    if (this.#isBySchedule) return true
    return this.#plan.source !== 'paused' && this.#plan.source !== 'quota'
  }

  advance(): void {
    const at = this.#dueAt!
    if (this.#isBySchedule) {
      this.#dueAt = nextChosenPeriod(this.#compiled.job!, at)?.chosenTime ?? null
      return
    }
    this.#plan = followingPlan(this.#plan, this.#compiled, at)
    this.#dueAt = this.#plan.nextRunAt
    this.#isBySchedule = this.#plan.source === 'baseline-cron' && this.#isUnlimited
  }

  /** Hints and pauses only ever end; limits stay. */
  get #isUnlimited(): boolean {
    const { minIntervalMs, maxIntervalMs } = this.#compiled.endpoint.definition
    return minIntervalMs === null && maxIntervalMs === null
  }
}
