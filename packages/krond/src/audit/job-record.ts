import type { Job, PolicySpec } from '@kron/core'
import type { Outcome } from '../state/index.js'

/** A period that was decided, by the latest decision about it. */
export interface Plan {
  readonly nominal: number
  readonly chosen: number | null
  /** null when the schedule could not be read. */
  readonly policy: PolicySpec | null
  /** The latest; it keeps what was decided then, should a reload decide anew while it starts. */
  trigger: Trigger | null
}

export interface Trigger {
  /** When it was logged. */
  readonly time: number
  readonly verdict: string
  readonly chosen: number | null
  readonly policy: PolicySpec | null
  /** Whether it was put off after this verdict. */
  retried: boolean
}

export interface Handled {
  readonly nominal: number
  /** null when the state of it was lost. */
  readonly outcome: Outcome | null
}

export interface Execution {
  readonly nominal: number
  readonly pid: number
  /** The life of the daemon that watches it. */
  readonly life: number
  /** Whether a former life started it, so that its exit code can't be known. */
  readonly inherited: boolean
  replaced: boolean
}

/** The decision of a schedule text, kept because the next period most likely has the same. */
export interface CompiledSchedule {
  readonly schedule: string
  readonly dialect: string
  /** The reason why there is no job, if there is none. */
  readonly job: Job | Error
}

const mostPlans = 8
const mostReplaced = 64

/** All that is remembered of one identity: a few periods and what runs, however long the log is. */
export class JobRecord {
  compiled: CompiledSchedule | null = null
  last: Handled | null = null
  /** What was known to be handled when this life began: more may have been, and not been logged. */
  lastOfEarlierLife: Handled | null = null
  #lifeOfLast = 0
  executions: Execution[] = []
  /** Since when the daemon answers for the job, if this life has said so. */
  responsibleSince: number | null = null
  readonly #plans: Plan[] = []

  plan(nominal: number): Plan | undefined {
    return this.#plans.findLast((plan) => plan.nominal === nominal)
  }

  decided(plan: Plan): void {
    this.undecided(plan.nominal)
    this.#plans.push(plan)
    if (this.#plans.length > mostPlans) this.#plans.shift()
  }

  /** There is no decision about the period any more. */
  undecided(nominal: number): void {
    const known = this.#plans.findIndex((plan) => plan.nominal === nominal)
    if (known >= 0) this.#plans.splice(known, 1)
  }

  handled(handled: Handled, life: number): void {
    this.enter(life)
    this.last = handled
  }

  /** Remembers what earlier lives had handled, the first time that this life speaks of the job. */
  enter(life: number): void {
    if (this.#lifeOfLast === life) return
    this.#lifeOfLast = life
    this.lastOfEarlierLife = this.last
  }

  execution(nominal: number, pid: number): Execution | undefined {
    return this.executions.find((other) => other.nominal === nominal && other.pid === pid)
  }

  began(execution: Execution): void {
    this.executions.push(execution)
    const replaced = this.executions.filter((other) => other.replaced)
    if (replaced.length > mostReplaced) this.ended(replaced[0]!)
  }

  /** Nobody will say how executions of earlier lives ended. */
  forgetEarlier(life: number): void {
    this.executions = this.executions.filter((execution) => execution.life === life)
  }

  ended(execution: Execution): void {
    this.executions = this.executions.filter((other) => other !== execution)
  }
}
