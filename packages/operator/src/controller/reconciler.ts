import { type Decision, type Job, KronError } from '@kron/core'
import type { OwnedJob } from '../job/index.js'
import { hasStatus, type KubeObject } from '../kube/index.js'
import { failureText, missedReason } from './attempt-failure.js'
import type { EventLog } from './event-log.js'
import type { HandledPeriod } from './handled-period.js'
import { pruning } from './history.js'
import { findJob, startJob } from './job-starter.js'
import type { KronJobRecord } from './kron-job-record.js'
import {
  existedEvent,
  invalidSpecEvent,
  notResponsibleEvent,
  settledEvent,
  troubleEvent,
  undecidedEvent,
} from './period-events.js'
import { lostAt, periodStep, type Step, type StepInput, wouldHaveRun } from './period-step.js'
import { replaceActive, replacedEvent, takeReplaced } from './replacement.js'
import { endWait, replacementWait, waitText } from './replacement-wait.js'
import type { Requests, StillDue } from './requests.js'
import { retryDelayMs } from './retry-delay.js'
import type { StatusWriter } from './status-writer.js'
import { checkDueAt } from './template-check.js'
import { blamed, replacementTrouble, type Trouble, undecidedTrouble } from './trouble.js'
import { LeadershipLost, NoLongerDue, type World } from './world.js'

/** Longer than an API server works on a request whose client is gone. */
const uncertainMs = 65_000
const resolveAgainMs = 1000
/** What was due together and took longer than that to be started is judged by the clock again. */
const longestCrowdMs = 60_000
/** Periods that may be judged in one go, before others get their turn; it goes on soon after. */
const maxPeriods = 100

type Trigger = Extract<Step, { kind: 'execute' | 'settle' }>

/** A period that is to be executed, with or without replacing what runs. */
type Start = Pick<Extract<Step, { kind: 'execute' }>, 'decision' | 'replace'>

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
   * What is due. Answers when to look again, or null. In a rush nothing is planned after a period:
   * the caller has to come back for that. `triggeredAt` is the one instant of all that was found to
   * be due together, however long it takes to start them, up to a minute.
   */
  async handlePeriods(
    record: KronJobRecord,
    isRushed: () => boolean,
    triggeredAt: number | null,
  ): Promise<number | null> {
    this.#parts.world.observer.reconciled()
    if (record.isDeleting) return null
    try {
      return await this.#handlePeriods(record, isRushed, triggeredAt)
    } catch (error) {
      return this.#undecided(record, error)
    }
  }

  async #handlePeriods(
    record: KronJobRecord,
    isRushed: () => boolean,
    triggeredAt: number | null,
  ): Promise<number | null> {
    const { compiled } = record
    let judgedAt = () => this.#judgedAt(triggeredAt)
    if (compiled instanceof KronError) {
      record.planned = null
      this.#tellInvalid(record, compiled)
      return null
    }
    endWait(record)
    for (let judged = 0; judged < maxPeriods; judged++) {
      const input = this.#stepInput(record, compiled, judgedAt())
      const step = periodStep(input)
      record.decided()
      this.#tellPassedOver(record, input, step)
      this.#plan(record, compiled, step)
      if (step.kind === 'idle') return null
      if (step.kind === 'wait') return step.until
      this.#logTrigger(record, step, input.now)
      const again =
        step.kind === 'execute'
          ? await this.#execute(record, compiled, step, judgedAt)
          : await this.#settle(record, compiled, step)
      if (again !== null) return again
      if (isRushed()) return null
      // The specification has changed meanwhile: this decision is not about it any more.
      if (record.compiled !== compiled) return this.#now()
      judgedAt = () => this.#now()
    }
    return this.#now() + resolveAgainMs
  }

  #stepInput(record: KronJobRecord, job: Job, now: number): StepInput {
    const { responsibility, lastHandled, planned, attempt } = record
    const isActive = record.activeJobs.length > 0
    const responsibleSince = responsibility.since
    return { job, now, responsibleSince, lastHandled, isActive, planned, attempt }
  }

  #judgedAt(triggeredAt: number | null): number {
    const now = this.#now()
    return triggeredAt !== null && now - triggeredAt <= longestCrowdMs ? triggeredAt : now
  }

  /** Whether it is still to be executed, and with the same decision, as things are now. */
  #isStillDue(input: StepInput, record: KronJobRecord, { decision, replace }: Start): boolean {
    if (record.compiled !== input.job || record.isDeleting) return false
    const step = periodStep(input)
    if (step.kind !== 'execute' || (step.replace && !replace)) return false
    return step.decision.nominalTime === decision.nominalTime
  }

  /** What is tried again, or waits, has the same verdict each time. */
  #logTrigger(record: KronJobRecord, step: Trigger, now: number): void {
    const kind = step.kind === 'settle' ? step.verdict.kind : step.kind
    const trigger = `${step.decision.periodId} ${kind}`
    if (record.loggedTrigger === trigger) return
    record.loggedTrigger = trigger
    this.#parts.events.trigger(record, step.decision, kind, now)
  }

  #plan(record: KronJobRecord, job: Job, step: Step): void {
    const decision = step.kind === 'idle' ? null : step.decision
    const isNew = decision !== null && decision.nominalTime !== record.planned?.nominalTime
    record.planned = decision
    if (isNew) this.#parts.events.decision(record, job, decision)
  }

  /** Answers when to try again, or null if the period is handled or to be judged again. */
  async #execute(
    record: KronJobRecord,
    job: Job,
    { decision, replace }: Start,
    judgedAt: () => number,
  ): Promise<number | null> {
    const dueStill = (start: Start) => () =>
      this.#isStillDue(this.#stepInput(record, job, judgedAt()), record, start)
    const again = replace
      ? await this.#replace(record, job, decision, dueStill({ decision, replace }))
      : null
    this.#tellReplaced(record, decision)
    if (again !== null) return again
    if (replace && record.activeJobs.length > 0) return null
    const { requests, world, events, noteJob } = this.#parts
    const isStillDue = dueStill({ decision, replace: false })
    const result = await startJob(requests, record, decision, isStillDue)
    if (result.kind === 'overdue') return null
    if (result.kind === 'failed') {
      this.#troubled(record, decision, result.trouble)
      return await this.#failed(record, job, decision, result.error, result.isUncertain)
    }
    noteJob(result.job)
    this.#handled(record, { ...timesOf(decision), outcome: 'executed' })
    const existed = result.kind === 'existed'
    events.started(record, decision, result.job.metadata.name, existed)
    if (existed) record.tell(existedEvent(decision, result.job.metadata.name))
    else world.observer.started(this.#now() - (decision.chosenTime ?? this.#now()))
    record.trouble = null
    record.template.prove()
    return null
  }

  /** Answers when to look again, or null if none is active any more, or it is too late. */
  async #replace(
    record: KronJobRecord,
    job: Job,
    decision: Decision,
    isStillDue: StillDue,
  ): Promise<number | null> {
    const attempt = record.attemptAt(decision.nominalTime)
    record.attempt = { ...attempt, replacingSince: attempt.replacingSince ?? this.#now() }
    try {
      await replaceActive(this.#parts.requests, record, isStillDue, () => this.#now())
    } catch (error) {
      if (error instanceof NoLongerDue) return null
      this.#troubled(record, decision, replacementTrouble(error))
      return await this.#failed(record, job, decision, error, false)
    }
    const [oldest] = record.activeJobs
    return oldest === undefined ? null : this.#awaitGone(record, job, decision, oldest)
  }

  /** The watch tells when it is gone; this is for the case that it never is. */
  #awaitGone(record: KronJobRecord, job: Job, decision: Decision, old: OwnedJob): number | null {
    const { events } = this.#parts
    const input = this.#stepInput(record, job, this.#now())
    const { now } = input
    const attempt = record.attemptAt(decision.nominalTime)
    const waitingSince = attempt.waitingSince ?? now
    const wait = replacementWait(old, waitingSince, attempt.waitLoggedAt, now)
    const waitLoggedAt = wait.isToBeLogged ? now : attempt.waitLoggedAt
    record.attempt = { ...attempt, waitingSince, waitLoggedAt, failure: waitText(old) }
    if (wait.trouble !== null) this.#troubled(record, decision, wait.trouble)
    if (wait.isToBeLogged) events.waiting(record, decision.nominalTime, old, now - waitingSince)
    const end = lostAt(input, decision)
    return now < end ? Math.min(wait.nextWordAt, end) : null
  }

  /**
   * The period stays open. Within its deadline it is tried again, with the same decision; the last
   * look comes when it is lost, so that its outcome does not wait for the next try. Null if that is
   * now.
   */
  async #failed(
    record: KronJobRecord,
    job: Job,
    decision: Decision,
    error: unknown,
    isUncertain: boolean,
  ): Promise<number | null> {
    if (error instanceof LeadershipLost) throw error
    const now = this.#now()
    const attempt = record.attemptAt(decision.nominalTime)
    const failures = attempt.failures + 1
    const uncertainUntil = isUncertain ? now + uncertainMs : attempt.uncertainUntil
    record.attempt = { ...attempt, failures, uncertainUntil, failure: failureText(error) }
    this.#parts.world.observer.failed('create_job')
    this.#parts.events.failure(blamed(error), 'create_job', record, decision.nominalTime)
    // The Job was there and is gone: perhaps another controller has it in the status.
    if (hasStatus(error, 409) && record.trouble === null) {
      await this.#parts.writer.refresh(record).catch(rethrowLost)
    }
    const input = this.#stepInput(record, job, this.#now())
    const end = lostAt(input, decision)
    return input.now < end ? Math.min(input.now + retryDelayMs(failures, error), end) : null
  }

  /** Answers when to look again, or null if the outcome is known. */
  async #settle(
    record: KronJobRecord,
    job: Job,
    { decision, verdict }: Extract<Step, { kind: 'settle' }>,
  ): Promise<number | null> {
    const { uncertainUntil, failure } = record.attemptAt(decision.nominalTime)
    if (uncertainUntil !== null) {
      if (await this.#findUncertain(record, decision)) return null
      // The period that takes over is not to be late because of an answer that got lost.
      const takenOverAt = job.supersededAt(decision.nominalTime) ?? Number.POSITIVE_INFINITY
      const now = this.#now()
      if (now < Math.min(uncertainUntil, takenOverAt)) {
        return Math.min(now + resolveAgainMs, takenOverAt)
      }
    }
    const { kind: outcome } = verdict
    const reason = outcome === 'missed' ? missedReason(verdict.reason, failure) : verdict.reason
    const handled: HandledPeriod = { ...timesOf(decision), outcome, reason }
    this.#handled(record, handled)
    this.#parts.events.settled(record, handled)
    record.tell(settledEvent(handled))
    return null
  }

  /** A request that nobody answered may have created the Job after all. */
  async #findUncertain(record: KronJobRecord, decision: Decision): Promise<boolean> {
    const { requests, noteJob, events } = this.#parts
    const job = await findJob(requests, record, decision).catch(rethrowLost)
    if (!job) return false
    noteJob(job)
    this.#handled(record, { ...timesOf(decision), outcome: 'executed' })
    events.started(record, decision, job.metadata.name, true)
    return true
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
    record.tell(invalidSpecEvent(flaw, generation))
  }

  #tellReplaced(record: KronJobRecord, decision: Decision): void {
    for (const job of takeReplaced(record)) {
      this.#parts.events.replaced(record, decision.nominalTime, job.name)
      record.tell(replacedEvent(job, decision))
    }
  }

  /** Told once for each period and hour: a refusal is tried again every few seconds. */
  #troubled(record: KronJobRecord, decision: Decision, trouble: Trouble | null): void {
    record.trouble = trouble
    if (trouble === null) return
    const { generation = 0 } = record.kronJob.metadata
    record.tellTrouble(troubleEvent(trouble, decision, generation, this.#now()))
  }

  /** Said when we begin to answer for a timing, not by each leader that comes after. */
  #tellPassedOver(record: KronJobRecord, input: StepInput, { passedOver }: Step): void {
    const { newlyResponsible } = record
    record.newlyResponsible = null
    if (newlyResponsible === null || passedOver === null) return
    this.#parts.events.notResponsible(record, passedOver, input.responsibleSince)
    // What is new does not look as if something were wrong with it.
    if (newlyResponsible === 'created' || !wouldHaveRun(input, passedOver)) return
    record.tell(notResponsibleEvent(passedOver))
  }

  /** The engine could not answer: nothing is handled, and it is asked again. */
  #undecided(record: KronJobRecord, error: unknown): number {
    rethrowLost(error)
    const nominal = record.planned?.nominalTime
    this.#parts.world.observer.failed('decide')
    this.#parts.events.failure(error, 'decide', record, nominal)
    record.trouble = undecidedTrouble(error)
    record.tellTrouble(undecidedEvent(record.trouble, this.#now()))
    return this.#now() + retryDelayMs(++record.undecided, error)
  }

  /** Events, status and history. Answers when to look again for their sake, or null. */
  async tidyUp(record: KronJobRecord): Promise<number | null> {
    const { writer, events, world } = this.#parts
    if (record.isDeleting) return null
    const awaited = checkDueAt(record) === null ? null : record.template.awaitedUntil(this.#now())
    if (awaited !== null) return awaited
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

  #now(): number {
    return this.#parts.world.clock.now().getTime()
  }
}

const timesOf = ({ nominalTime, chosenTime }: Decision) => ({ nominalTime, chosenTime })

/** The end of a term is nothing that could be dealt with here. */
function rethrowLost(error: unknown): void {
  if (error instanceof LeadershipLost) throw error
}
