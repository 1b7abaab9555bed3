import { type Decision, type Job, KronError, type Responsibility } from '@kron/core'
import type { KronEvent } from '../event/index.js'
import { isActive, type OwnedJob } from '../job/index.js'
import { compileKronJob, type KronJob } from '../kronjob/index.js'
import { type Attempt, inheritedAttempt, untried } from './attempt.js'
import { type HandledPeriod, lastHandled } from './handled-period.js'
import { keptResponsibility, noTiming, responsibilityOf } from './responsibility.js'
import { StatusDispute } from './status-dispute.js'
import { TemplateVerdict } from './template-verdict.js'
import { inheritedTrouble, isUndecided, type Trouble } from './trouble.js'

/** A KronJob, its Jobs, and what this controller knows beyond what the API server does. */
export class KronJobRecord {
  readonly key: string
  readonly uid: string
  readonly jobs = new Map<string, OwnedJob>()
  remembered: HandledPeriod | null = null
  planned: Decision | null = null
  attempt: Attempt | null = null
  trouble: Trouble | null = null
  /** Jobs that were asked to go for a period's sake, by uid. */
  readonly doomed = new Map<string, OwnedJob>()
  /** To be recorded before the status is written. */
  pendingEvents: KronEvent[] = []
  /** The last verdict that was logged, with its period: a retry is not logged again. */
  loggedTrigger: string | null = null
  /** The subject of the last trouble that was reported, so that it is not reported for each try. */
  reportedTrouble: string | null = null
  writeFailures = 0
  /** How often in a row the engine could not answer. */
  undecided = 0
  readonly dispute = new StatusDispute()
  readonly template: TemplateVerdict
  #kronJob: KronJob
  #compiled: Job | KronError
  #timing: string
  /** When the specification was first seen. */
  #seenAt: number
  #responsibility: Responsibility
  /** How the present timing began, until that was reported; null if an earlier leader saw it. */
  newlyResponsible: 'created' | 'edited' | null

  constructor(key: string, kronJob: KronJob, seenAt: number, jobs: Iterable<OwnedJob> = []) {
    this.key = key
    this.uid = kronJob.metadata.uid ?? ''
    this.#kronJob = kronJob
    this.#compiled = compiled(kronJob)
    this.#timing = timingOf(this.#compiled)
    this.#seenAt = seenAt
    this.template = new TemplateVerdict(kronJob, seenAt)
    this.trouble = inheritedTrouble(kronJob)
    this.attempt = inheritedAttempt(kronJob, this.trouble)
    for (const job of jobs) this.putJob(job)
    this.#responsibility = this.#responsibilityNow(null)
    const kept = keptResponsibility(kronJob.status)
    const isKept = kept?.timing === this.#timing
    this.newlyResponsible = kept === null ? 'created' : isKept ? null : 'edited'
  }

  get kronJob(): KronJob {
    return this.#kronJob
  }

  get identity(): string {
    return this.key
  }

  /** The job of the core, or why there is none. */
  get compiled(): Job | KronError {
    return this.#compiled
  }

  /** Takes a newer version of the resource. The plan holds unless the specification changed. */
  update(kronJob: KronJob, seenAt: number): void {
    const isChanged = kronJob.metadata.generation !== this.#kronJob.metadata.generation
    const handledBefore = this.lastHandled
    this.#kronJob = kronJob
    if (isChanged) this.#recompile(seenAt)
    if (handledBefore !== null) this.#recall(handledBefore, seenAt)
    const before = this.#responsibility
    this.#responsibility = this.#responsibilityNow(before)
    if (this.#responsibility.timing !== before.timing) this.newlyResponsible = 'edited'
  }

  #recompile(seenAt: number): void {
    this.#compiled = compiled(this.#kronJob)
    this.#timing = timingOf(this.#compiled)
    this.#seenAt = seenAt
    this.planned = null
    this.trouble = null
    this.template.renew(seenAt)
    if (this.attempt !== null) this.attempt = { ...this.attempt, failures: 0 }
  }

  /** Since when we answer for the present timing: as the status has it, or as it is to have it. */
  get responsibility(): Responsibility {
    return this.#responsibility
  }

  #responsibilityNow(remembered: Responsibility | null): Responsibility {
    const { lastHandled } = this
    const [kronJob, timing, seenAt] = [this.#kronJob, this.#timing, this.#seenAt]
    return responsibilityOf({ kronJob, timing, remembered, lastHandled, seenAt })
  }

  get isDeleting(): boolean {
    return this.#kronJob.metadata.deletionTimestamp !== undefined
  }

  /** What was seen once is remembered: its Job may be gone before the status mentions it. */
  putJob(job: OwnedJob): void {
    this.jobs.set(job.name, job)
    if (job.period === null) return
    const known = this.remembered?.nominalTime ?? Number.NEGATIVE_INFINITY
    if (job.period.nominalTime < known) return
    this.remembered = { ...job.period, outcome: 'executed' }
  }

  get lastHandled(): HandledPeriod | null {
    return lastHandled(this.jobs.values(), this.#kronJob.status, this.remembered)
  }

  /**
   * Somebody may have erased the status, and it may have been the only witness. What was to come is
   * not recalled: to erase it is how people let a KronJob go on that believes in a far future.
   */
  #recall(handledBefore: HandledPeriod, now: number): void {
    const { nominalTime, chosenTime } = handledBefore
    if ((this.lastHandled?.nominalTime ?? Number.NEGATIVE_INFINITY) >= nominalTime) return
    if ((chosenTime ?? nominalTime) <= now) this.remembered = handledBefore
    else this.planned = null
  }

  /** To be recorded before the next status, once. */
  report(event: KronEvent): void {
    const isSame = ({ reason, subject }: KronEvent): boolean =>
      reason === event.reason && subject === event.subject
    if (!this.pendingEvents.some(isSame)) this.pendingEvents.push(event)
  }

  /** The same, but not for each try. */
  reportTrouble(event: KronEvent): void {
    if (event.subject === this.reportedTrouble) return
    this.reportedTrouble = event.subject
    this.report(event)
  }

  /** The engine has answered: an earlier failure is over, also for a leader after us. */
  decided(): void {
    this.undecided = 0
    if (isUndecided(this.trouble)) this.trouble = null
  }

  /** Oldest first. */
  get activeJobs(): OwnedJob[] {
    return [...this.jobs.values()].filter(isActive).sort(byAge)
  }

  attemptAt(nominalTime: number): Attempt {
    if (this.attempt?.nominalTime === nominalTime) return this.attempt
    return untried(nominalTime)
  }
}

const timingOf = (job: Job | KronError): string =>
  job instanceof KronError ? noTiming : job.timing

export const byAge = (a: OwnedJob, b: OwnedJob): number =>
  a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1)

function compiled(kronJob: KronJob): Job | KronError {
  try {
    return compileKronJob(kronJob)
  } catch (error) {
    if (error instanceof KronError) return error
    throw error
  }
}
