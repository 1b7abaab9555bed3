import { type Decision, type Job, KronError } from '@kron/core'
import type { KronEvent } from '../event/index.js'
import { ApiFailure, hasStatus, type KubeObject } from '../kube/index.js'
import type { EventLog } from './event-log.js'
import type { HandledPeriod } from './handled-period.js'
import { pruning } from './history.js'
import { findJob, startJob } from './job-starter.js'
import type { KronJobRecord, Trouble } from './kron-job-record.js'
import { existedEvent, invalidSpecEvent, settledEvent, troubleEvent } from './period-events.js'
import { periodStep, type Step } from './period-step.js'
import { replaceActive, replacedEvent, replacementTrouble, takeReplaced } from './replacement.js'
import type { Requests } from './requests.js'
import { retryDelayMs } from './retry-delay.js'
import type { StatusWriter } from './status-writer.js'
import { LeadershipLost, type World } from './world.js'

/** Longer than an API server works on a request whose client is gone. */
const uncertainMs = 65_000
const resolveAgainMs = 1000
/** What was due and has waited longer than that for its turn is judged anew. */
const mostQueuedMs = 60_000
/** Periods that may follow each other in one go; the clock would have to jump for more. */
const mostPeriods = 100

export interface ReconcilerParts {
  readonly world: World
  readonly requests: Requests
  readonly writer: StatusWriter
  readonly events: EventLog
  /** Takes an answer as the newest that is known of a Job. */
  readonly noteJob: (job: KubeObject) => void
}

/**
 * Brings one KronJob to where it should be, and answers when to look at it again: first what is due,
 * then what tells of it. Looking twice does no harm: everything is decided anew from what is there.
 *
 *   planned ──due──▶ verdict ─┬─ skipped, missed, unschedulable ──┬─▶ events, status, pruning
 *      ▲                      ├─ execute ──Job created────────────┘
 *      └── later, within the deadline ── execute, but there is no Job
 */
export class Reconciler {
  readonly #parts: ReconcilerParts

  constructor(parts: ReconcilerParts) {
    this.#parts = parts
  }

  /**
   * What is due. Answers when to look again, or null. `triggeredAt` is the one instant of all that
   * was due together, however long it took since. In a rush nothing is planned after a period: the
   * caller has to come back for that.
   */
  async handlePeriods(
    record: KronJobRecord,
    triggeredAt: number | null,
    isRushed: () => boolean = () => false,
  ): Promise<number | null> {
    this.#parts.world.observer.reconciled()
    if (record.isDeleting) return null
    try {
      return await this.#handlePeriods(record, triggeredAt, isRushed)
    } catch (error) {
      return this.#undecided(record, error)
    }
  }

  async #handlePeriods(
    record: KronJobRecord,
    triggeredAt: number | null,
    isRushed: () => boolean,
  ): Promise<number | null> {
    const { compiled } = record
    let now = this.#judgedAt(triggeredAt)
    if (compiled instanceof KronError) {
      record.planned = null
      this.#tellInvalid(record, compiled)
      return null
    }
    for (let handled = 0; handled < mostPeriods; handled++) {
      const step = this.#step(record, compiled, now)
      this.#plan(record, compiled, step)
      if (step.kind === 'idle') return null
      if (step.kind === 'wait') return step.until
      this.#parts.events.trigger(record, step.decision, kindOf(step), now)
      const again =
        step.kind === 'execute'
          ? await this.#execute(record, step.decision, step.replace, now)
          : await this.#settle(record, step)
      if (again !== null) return again
      if (isRushed()) return null
      // A specification that changed meanwhile is looked at by whoever noticed that.
      if (record.compiled !== compiled) return this.#now()
      now = this.#now()
    }
    return this.#now() + resolveAgainMs
  }

  #step(record: KronJobRecord, job: Job, now: number): Step {
    const { createdAt, lastHandled, planned, attempt } = record
    const isActive = record.activeJobs.length > 0
    return periodStep({ job, now, createdAt, lastHandled, isActive, planned, attempt })
  }

  #plan(record: KronJobRecord, job: Job, step: Step): void {
    const decision = step.kind === 'idle' ? null : step.decision
    const isNew = decision !== null && decision.nominalTime !== record.planned?.nominalTime
    record.planned = decision
    if (isNew) this.#parts.events.decision(record, job, decision)
  }

  /** Answers when to try again, or null if the period is handled. */
  async #execute(
    record: KronJobRecord,
    decision: Decision,
    replace: boolean,
    now: number,
  ): Promise<number | null> {
    const again = replace ? await this.#replace(record, decision, now) : null
    this.#tellReplaced(record, decision)
    if (again !== null) return again
    const { requests, world, events, noteJob } = this.#parts
    const result = await startJob(requests, record, decision)
    if (result.kind === 'failed') {
      record.trouble = result.trouble
      this.#tellTrouble(record, decision)
      return await this.#failed(record, decision, result.error, result.isUncertain)
    }
    noteJob(result.job)
    this.#handled(record, { ...timesOf(decision), outcome: 'executed' })
    const existed = result.kind === 'existed'
    events.started(record, decision, result.job.metadata.name, existed)
    if (existed) this.#addNews(record, existedEvent(decision, result.job.metadata.name))
    else world.observer.started(this.#now() - (decision.chosenTime ?? now))
    record.trouble = null
    return null
  }

  async #replace(record: KronJobRecord, decision: Decision, now: number): Promise<number | null> {
    const attempt = record.attemptAt(decision.nominalTime)
    record.attempt = { ...attempt, replacingSince: attempt.replacingSince ?? now }
    try {
      await replaceActive(this.#parts.requests, record)
    } catch (error) {
      record.trouble = replacementTrouble(error)
      return await this.#failed(record, decision, error, false)
    }
    // The watch tells when they are gone; this is for the case that they never are.
    return record.activeJobs.length === 0 ? null : this.#now() + resolveAgainMs
  }

  /** The period stays open. Within its deadline it is tried again, with the same decision. */
  async #failed(
    record: KronJobRecord,
    decision: Decision,
    error: unknown,
    isUncertain: boolean,
  ): Promise<number> {
    if (error instanceof LeadershipLost) throw error
    const now = this.#now()
    const attempt = record.attemptAt(decision.nominalTime)
    const failures = attempt.failures + 1
    const uncertainUntil = isUncertain ? now + uncertainMs : attempt.uncertainUntil
    record.attempt = { ...attempt, failures, uncertainUntil }
    this.#parts.world.observer.failed('create_job')
    this.#parts.events.failure(error, 'create_job', record, decision.nominalTime)
    // The Job was there and is gone: perhaps another controller has it in the status.
    if (hasStatus(error, 409) && record.trouble === null) {
      await this.#parts.writer.refresh(record).catch(rethrowLost)
    }
    return now + retryDelayMs(failures, error)
  }

  /** Answers when to look again, or null if the outcome is known. */
  async #settle(
    record: KronJobRecord,
    { decision, verdict }: Extract<Step, { kind: 'settle' }>,
  ): Promise<number | null> {
    const { uncertainUntil } = record.attemptAt(decision.nominalTime)
    if (uncertainUntil !== null) {
      if (await this.#findUncertain(record, decision)) return null
      // The period that has taken over is not to be late because of an answer that got lost.
      const isOver = verdict.reason === 'superseded'
      if (!isOver && this.#now() < uncertainUntil) return this.#now() + resolveAgainMs
    }
    const { kind: outcome, reason } = verdict
    const handled: HandledPeriod = { ...timesOf(decision), outcome, reason }
    this.#handled(record, handled)
    this.#parts.events.settled(record, handled)
    this.#addNews(record, settledEvent(handled))
    return null
  }

  /** A request that nobody answered may have created the Job after all. */
  async #findUncertain(record: KronJobRecord, decision: Decision): Promise<boolean> {
    const { requests, noteJob, events } = this.#parts
    try {
      const job = await findJob(requests, record, decision)
      if (job === null) return false
      noteJob(job)
      this.#handled(record, { ...timesOf(decision), outcome: 'executed' })
      events.started(record, decision, job.metadata.name, true)
      return true
    } catch (error) {
      rethrowLost(error)
      return false
    }
  }

  #handled(record: KronJobRecord, period: HandledPeriod): void {
    record.remembered = period
    record.planned = null
    record.attempt = null
    this.#parts.world.observer.handled(period.outcome)
  }

  #tellInvalid(record: KronJobRecord, flaw: KronError): void {
    const { generation = 0 } = record.kronJob.metadata
    if (record.kronJob.status?.observedGeneration === generation) return
    this.#addNews(record, invalidSpecEvent(flaw, generation))
  }

  #tellReplaced(record: KronJobRecord, decision: Decision): void {
    for (const job of takeReplaced(record)) {
      this.#parts.events.replaced(record, decision.nominalTime, job.name)
      this.#addNews(record, replacedEvent(job, decision))
    }
  }

  #tellTrouble(record: KronJobRecord, decision: Decision): void {
    if (record.trouble === null) return
    const { generation = 0 } = record.kronJob.metadata
    const event = troubleEvent(record.trouble, decision, generation)
    if (event !== null) this.#addNews(record, event)
  }

  #addNews(record: Pick<KronJobRecord, 'news'>, event: KronEvent): void {
    const isSame = ({ reason, subject }: KronEvent): boolean =>
      reason === event.reason && subject === event.subject
    if (!record.news.some(isSame)) record.news.push(event)
  }

  /** The engine could not answer: nothing is handled, and it is asked again. */
  #undecided(record: KronJobRecord, error: unknown): number {
    rethrowLost(error)
    const nominal = record.planned?.nominalTime
    this.#parts.world.observer.failed('decide')
    this.#parts.events.failure(error, 'decide', record, nominal)
    if (!(error instanceof ApiFailure)) record.trouble = schedulingTrouble(error)
    return this.#now() + retryDelayMs(++record.writeFailures, error)
  }

  /** Events, status and history. Answers when to look again for their sake, or null. */
  async tidyUp(record: KronJobRecord): Promise<number | null> {
    const { writer, events, world } = this.#parts
    if (record.isDeleting) return null
    try {
      const again = await writer.write(record, this.#now())
      record.writeFailures = 0
      return again ?? (await this.#prune(record))
    } catch (error) {
      rethrowLost(error)
      world.observer.failed('write_status')
      events.failure(error, 'write_status', record)
      return this.#now() + retryDelayMs(++record.writeFailures, error)
    }
  }

  /** After the status, which has to know of an end before its Job goes. */
  async #prune(record: KronJobRecord): Promise<number | null> {
    const { compiled, jobs, kronJob } = record
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = kronJob.spec
    const { remove, again } = pruning({
      jobs: [...jobs.values()],
      successfulLimit: successfulJobsHistoryLimit,
      failedLimit: failedJobsHistoryLimit,
      deadlineMs: compiled instanceof KronError ? 0 : compiled.policy.deadline,
      now: this.#now(),
    })
    for (const { namespace, name, uid } of remove) {
      await this.#parts.requests.pruneJob({ namespace, name }, uid)
      record.jobs.delete(name)
      this.#parts.events.pruned(record, name)
    }
    return again
  }

  #judgedAt(triggeredAt: number | null): number {
    const now = this.#now()
    return triggeredAt !== null && now - triggeredAt <= mostQueuedMs ? triggeredAt : now
  }

  #now(): number {
    return this.#parts.world.clock.now().getTime()
  }
}

const kindOf = (step: Step): string => (step.kind === 'settle' ? step.verdict.kind : step.kind)

const timesOf = ({ nominalTime, chosenTime }: Decision) => ({ nominalTime, chosenTime })

function schedulingTrouble(error: unknown): Trouble {
  const message = error instanceof Error ? error.message : String(error)
  return { condition: 'SchedulingError', reason: 'NoDecision', message }
}

/** The end of a term is nothing that could be dealt with here. */
function rethrowLost(error: unknown): void {
  if (error instanceof LeadershipLost) throw error
}
