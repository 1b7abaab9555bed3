import type { Decision, Job } from '@kron/core'
import type { Clock } from '@kron/runtime'
import type { OwnedJob } from '../job/index.js'
import { hasStatus, type KubeObject } from '../kube/index.js'
import { failureText, missedReason, retryDelayMs } from '../record/attempt.js'
import type { HandledPeriod } from '../record/handled-period.js'
import type { KronJobRecord } from '../record/kron-job-record.js'
import { blamed, replacementTrouble, type Trouble } from '../record/trouble.js'
import { LeadershipLost, NoLongerDue, type Requests, type StillDue } from '../requests/requests.js'
import type { StatusWriter } from '../status/status-writer.js'
import type { EventLog } from './event-log.js'
import { findJob, startJob } from './job-starter.js'
import { existedEvent, settledEvent, troubleEvent } from './period-events.js'
import { isStillToStart, lostAt, type Start, type Step, stepInput } from './period-step.js'
import type { Observer } from './ports.js'
import {
  replaceActive,
  replacedEvent,
  replacementWait,
  takeReplaced,
  waitText,
} from './replacement.js'

/** Longer than an API server works on a request whose client is gone. */
const uncertainMs = 65_000
const resolveAgainMs = 1000

export interface PeriodHandlerPorts {
  readonly clock: Clock
  readonly observer: Observer
  readonly requests: Requests
  readonly writer: Pick<StatusWriter, 'refresh'>
  readonly events: EventLog
  /** Takes an answer as the newest that is known of a Job. */
  readonly noteJob: (job: KubeObject) => void
}

/**
 * Brings one period to its outcome: creates its Job, after those that it replaces are gone, or
 * settles that there will be none. Both answer when to look again, or null if the period is handled
 * or to be judged again.
 */
export class PeriodHandler {
  readonly #ports: PeriodHandlerPorts

  constructor(ports: PeriodHandlerPorts) {
    this.#ports = ports
  }

  /** `judgedAt`: the instant by which the period is judged again when a request had to wait. */
  async execute(
    record: KronJobRecord,
    job: Job,
    { decision, replace }: Start,
    judgedAt: () => number,
  ): Promise<number | null> {
    const dueStill = (start: Start) => () =>
      isStillToStart(record, stepInput(record, job, judgedAt()), start)
    const again = replace
      ? await this.#replace(record, job, decision, dueStill({ decision, replace }))
      : null
    this.#reportReplaced(record, decision)
    if (again !== null) return again
    if (replace && record.activeJobs.length > 0) return null
    const { requests, observer, events, noteJob } = this.#ports
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
    if (existed) record.report(existedEvent(decision, result.job.metadata.name))
    else observer.started(this.#now() - (decision.chosenTime ?? this.#now()))
    record.trouble = null
    record.template.prove()
    return null
  }

  async settle(
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
    this.#ports.events.settled(record, handled)
    record.report(settledEvent(handled))
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
      await replaceActive(this.#ports.requests, record, isStillDue, () => this.#now())
    } catch (error) {
      if (error instanceof NoLongerDue) return null
      this.#troubled(record, decision, replacementTrouble(error))
      return await this.#failed(record, job, decision, error, false)
    }
    const [oldest] = record.activeJobs
    return oldest === undefined ? null : this.#awaitGone(record, job, decision, oldest)
  }

  /** The watch reports when the Job is gone; this is for the case that it never is. */
  #awaitGone(record: KronJobRecord, job: Job, decision: Decision, old: OwnedJob): number | null {
    const input = stepInput(record, job, this.#now())
    const { now } = input
    const attempt = record.attemptAt(decision.nominalTime)
    const waitingSince = attempt.waitingSince ?? now
    const wait = replacementWait(old, waitingSince, attempt.waitLoggedAt, now)
    const waitLoggedAt = wait.isToBeLogged ? now : attempt.waitLoggedAt
    record.attempt = { ...attempt, waitingSince, waitLoggedAt, failure: waitText(old) }
    if (wait.trouble !== null) this.#troubled(record, decision, wait.trouble)
    if (wait.isToBeLogged) {
      this.#ports.events.waiting(record, decision.nominalTime, old, now - waitingSince)
    }
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
    this.#ports.observer.failed('create_job')
    this.#ports.events.failure(blamed(error), 'create_job', record, decision.nominalTime)
    // The Job was there and is gone: perhaps another controller has it in the status.
    if (hasStatus(error, 409) && record.trouble === null) {
      await this.#ports.writer.refresh(record).catch(rethrowLost)
    }
    const input = stepInput(record, job, this.#now())
    const end = lostAt(input, decision)
    return input.now < end ? Math.min(input.now + retryDelayMs(failures, error), end) : null
  }

  /** A request that nobody answered may have created the Job after all. */
  async #findUncertain(record: KronJobRecord, decision: Decision): Promise<boolean> {
    const { requests, noteJob, events } = this.#ports
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
    this.#ports.observer.handled(period.outcome)
  }

  #reportReplaced(record: KronJobRecord, decision: Decision): void {
    for (const job of takeReplaced(record)) {
      this.#ports.events.replaced(record, decision.nominalTime, job.name)
      record.report(replacedEvent(job, decision))
    }
  }

  /** Reported once for each period and hour: a refusal is tried again every few seconds. */
  #troubled(record: KronJobRecord, decision: Decision, trouble: Trouble | null): void {
    record.trouble = trouble
    if (trouble === null) return
    const { generation = 0 } = record.kronJob.metadata
    record.reportTrouble(troubleEvent(trouble, decision, generation, this.#now()))
  }

  #now(): number {
    return this.#ports.clock.now().getTime()
  }
}

const timesOf = ({ nominalTime, chosenTime }: Decision) => ({ nominalTime, chosenTime })

/** The end of a term ends all work: nothing here could handle it. */
export function rethrowLost(error: unknown): void {
  if (error instanceof LeadershipLost) throw error
}
