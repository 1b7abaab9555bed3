import type { Job } from '@kron/core'
import type { Outcome } from '../state/index.js'
import type { AuditState } from './life.js'
import type { Place } from './log-line.js'

/** A period that was decided, by the latest decision about it. */
export interface Plan {
  readonly place: Place
  readonly nominal: number
  readonly windowStart: number
  readonly chosen: number | null
  readonly reason: string | null
  /** null when the schedule could not be read. */
  readonly job: Job | null
  /** Whether it is certain that our time zone database gives the same. */
  readonly comparable: boolean
  /** When there is to be a verdict. */
  due: number
  /** Since which line it is to be so. */
  dueSince: number
  /** It waits for a place to run. */
  queued: boolean
  /** Attempts that failed in this life. */
  failures: number
}

export interface Trigger {
  readonly place: Place
  readonly plan: Plan | null
  readonly nominal: number
  readonly verdict: string
  /** Why, as the outcome must repeat it; null when that could not be computed. */
  readonly reason: string | null
  readonly judgedAt: number
  /** How many starts were under way. */
  readonly underWay: number
  /** What must be ended before the period starts, and is not said to have been. */
  readonly toReplace: Set<Execution>
  readonly replaceCount: number
  /** An error says that it could not be started. */
  failed: boolean
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
  /** Between which times it began; null when that is not known. */
  readonly began: readonly [earliest: number, latest: number] | null
  /** How far the clock had jumped by then in that life, forward and back. */
  readonly jumpedMs: number
  /** Whether it was replaced: its end may be logged a little later. */
  replaced: boolean
  timedOut: boolean
  /** Whether it is sure that it runs: lines that were lost may have said how it ended. */
  sure: boolean
}

/** The decision of a schedule text, kept because the next period most likely has the same. */
export interface CompiledSchedule {
  readonly schedule: string
  readonly dialect: string
  /** The reason why there is no job, if there is none. */
  readonly job: Job | Error
}

/** A period that was said to be nobody's business, until the decision behind it shows the job. */
export interface PassedOver {
  readonly place: Place
  readonly nominal: number
  readonly due: number
  readonly since: number
}

export interface LostState {
  readonly place: Place
  readonly nominal: number | null
  proven: boolean
}

/** `settled`: the period has its outcome, and the next one is not planned yet. */
export type JobPhase = 'unknown' | 'planned' | 'triggered' | 'settled' | 'unplanned' | 'failing'

const maxReplaced = 64

/** All that is remembered of one identity: its period and what runs, however long the log is. */
export class JobRecord {
  readonly identity: string
  compiled: CompiledSchedule | null = null
  phase: JobPhase = 'unknown'
  /** Where it was planned last. */
  plannedSince: { readonly index: number; readonly life: number; readonly gaps: number } | null =
    null
  plan: Plan | null = null
  trigger: Trigger | null = null
  last: Handled | null = null
  lastPlace: Place | null = null
  /** Since when more may have been handled than the log says; null when it says all. */
  unknownSince: number | null = Number.NEGATIVE_INFINITY
  /** What was known to be handled when this life began. */
  lastOfEarlierLife: Handled | null = null
  /** The period that may have got its outcome when the life before ended, and no line for it. */
  openBefore: number | null = null
  /** A state that was lost, until a plan shows whether its period is one of the job. */
  lostState: LostState | null = null
  executions: Execution[] = []
  /** What was recovered in this life. */
  readonly recovered = new Set<string>()
  passedOver: PassedOver | null = null
  passUnproven: PassedOver | null = null
  /** Since when the daemon answers for the job, if this life has said so. */
  responsibleSince: number | null = null
  /** Whether it is a job of the daemon, planned or not. */
  active = false
  removed = false
  overdueSince: number | null = null
  life = -1
  gaps = 0
  /** Lines were lost that may have been about a start of it. */
  lostTrack = false

  constructor(identity: string) {
    this.identity = identity
  }

  /** Whether lines of this life may be missing that were about this job. */
  get isWhole(): boolean {
    return this.gaps === 0
  }

  /** Whether it is being taken up: for the first time in this life, or once more. */
  get isNew(): boolean {
    return this.phase === 'unknown' || this.removed
  }

  /** Catches up with what happened to the log since the last line about this job. */
  enter({ life, before, obligations }: AuditState): void {
    if (this.life !== life.number) {
      this.#enterLife(life.number, before)
      obligations.clear(this)
    }
    if (this.gaps === life.gaps) return
    this.gaps = life.gaps
    this.#loseTrack()
    obligations.clear(this)
  }

  #enterLife(life: number, before: AuditState['before']): void {
    if (before === null || before.number !== this.life) {
      this.unknownSince = Number.NEGATIVE_INFINITY
    } else if (this.trigger !== null || !before.inOrder) {
      // The outcome may be on disk, and not in the log.
      const open = this.trigger?.plan ?? this.plan
      this.openBefore = this.trigger?.nominal ?? open?.nominal ?? null
      this.#unsureSince(Math.min(before.time, open?.chosen ?? open?.windowStart ?? before.time))
    }
    if (before?.machineEnded) for (const execution of this.executions) execution.sure = false
    this.life = life
    this.gaps = 0
    this.lostState = null
    this.recovered.clear()
    this.lastOfEarlierLife = this.last
    this.#forgetPlan()
    this.active = false
    this.removed = false
    this.passedOver = null
  }

  #unsureSince(time: number): void {
    this.unknownSince = this.unknownSince === null ? time : Math.min(time, this.unknownSince)
  }

  #loseTrack(): void {
    this.lostTrack = true
    this.removed = false
    this.passedOver = null
    this.unknownSince = Number.NEGATIVE_INFINITY
    for (const execution of this.executions) execution.sure = false
    this.#forgetPlan()
  }

  #forgetPlan(): void {
    this.phase = 'unknown'
    this.plan = null
    this.trigger = null
    this.passUnproven = null
    this.responsibleSince = null
    this.overdueSince = null
  }

  handled(handled: Handled, place: Place): void {
    this.last = handled
    this.lastPlace = place
    this.unknownSince = null
    this.openBefore = null
  }

  execution(nominal: number, pid: number): Execution | undefined {
    return this.executions.find((other) => other.nominal === nominal && other.pid === pid)
  }

  began(execution: Execution): void {
    this.executions.push(execution)
    const replaced = this.executions.filter((other) => other.replaced)
    if (replaced.length > maxReplaced) this.ended(replaced[0]!)
  }

  /** Nobody will say how executions of earlier lives ended. */
  forgetEarlier(life: number): void {
    this.executions = this.executions.filter((execution) => execution.life === life)
  }

  ended(execution: Execution): void {
    this.executions = this.executions.filter((other) => other !== execution)
  }
}
