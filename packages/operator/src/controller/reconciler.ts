import { type Job, KronError } from '@kron/core'
import { retryDelayMs } from '../record/attempt.js'
import type { KronJobRecord } from '../record/kron-job-record.js'
import { undecidedTrouble } from '../record/trouble.js'
import type { StatusWriter } from '../status/status-writer.js'
import { pruning } from './history.js'
import { invalidSpecEvent, notResponsibleEvent, undecidedEvent } from './period-events.js'
import { PeriodHandler, type PeriodHandlerPorts, rethrowLost } from './period-handler.js'
import { periodStep, type Step, type StepInput, stepInput, wouldHaveRun } from './period-step.js'
import { endWait } from './replacement.js'
import { checkDueAt } from './template-check.js'

/** What was due together and took longer than that to be started is judged by the clock again. */
const longestCrowdMs = 60_000
/** Periods that may be judged in one go, before others get their turn; it goes on soon after. */
const maxPeriods = 100
const nextGoMs = 1000

type Trigger = Extract<Step, { kind: 'execute' | 'settle' }>

export interface ReconcilerPorts extends PeriodHandlerPorts {
  readonly writer: StatusWriter
}

/**
 * Brings one KronJob to where it should be, and answers when to look at it again: first what is due,
 * then events and status. Looking twice does no harm: everything is decided from what is there.
 *
 *   planned ──due──▶ verdict ─┬─ skipped, missed, unschedulable ──┬─▶ events, status, pruning
 *      ▲                      ├─ execute ──Job created────────────┘
 *      └── later, within the deadline ── execute, but there is no Job
 */
export class Reconciler {
  readonly #ports: ReconcilerPorts
  readonly #handler: PeriodHandler

  constructor(ports: ReconcilerPorts) {
    this.#ports = ports
    this.#handler = new PeriodHandler(ports)
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
    this.#ports.observer.reconciled()
    const { compiled, isDeleting } = record
    if (isDeleting) return null
    if (compiled instanceof KronError) {
      record.planned = null
      this.#reportInvalid(record, compiled)
      return null
    }
    let judgedAt = () => this.#judgedAt(triggeredAt)
    endWait(record)
    try {
      for (let judged = 0; judged < maxPeriods; judged++) {
        const input = stepInput(record, compiled, judgedAt())
        const step = periodStep(input)
        record.decided()
        this.#reportPassedOver(record, input, step)
        this.#plan(record, compiled, step)
        if (step.kind === 'idle') return null
        if (step.kind === 'wait') return step.until
        this.#logTrigger(record, step, input.now)
        const again =
          step.kind === 'execute'
            ? await this.#handler.execute(record, compiled, step, judgedAt)
            : await this.#handler.settle(record, compiled, step)
        if (again !== null) return again
        if (isRushed()) return null
        // The specification has changed meanwhile: this decision is not about it any more.
        if (record.compiled !== compiled) return this.#now()
        judgedAt = () => this.#now()
      }
      return this.#now() + nextGoMs
    } catch (error) {
      return this.#undecided(record, error)
    }
  }

  #judgedAt(triggeredAt: number | null): number {
    const now = this.#now()
    return triggeredAt !== null && now - triggeredAt <= longestCrowdMs ? triggeredAt : now
  }

  /** What is tried again, or waits, has the same verdict each time. */
  #logTrigger(record: KronJobRecord, step: Trigger, now: number): void {
    const kind = step.kind === 'settle' ? step.verdict.kind : step.kind
    const trigger = `${step.decision.periodId} ${kind}`
    if (record.loggedTrigger === trigger) return
    record.loggedTrigger = trigger
    this.#ports.events.trigger(record, step.decision, kind, now)
  }

  #plan(record: KronJobRecord, job: Job, step: Step): void {
    const decision = step.kind === 'idle' ? null : step.decision
    const isNew = decision !== null && decision.nominalTime !== record.planned?.nominalTime
    record.planned = decision
    if (isNew) this.#ports.events.decision(record, job, decision)
  }

  #reportInvalid(record: KronJobRecord, flaw: KronError): void {
    const { generation = 0 } = record.kronJob.metadata
    if (record.kronJob.status?.observedGeneration === generation) return
    record.report(invalidSpecEvent(flaw, generation))
  }

  /** Reported when we begin to answer for a timing, and not by each leader that comes after. */
  #reportPassedOver(record: KronJobRecord, input: StepInput, { passedOver }: Step): void {
    const { newlyResponsible } = record
    record.newlyResponsible = null
    if (newlyResponsible === null || passedOver === null) return
    this.#ports.events.notResponsible(record, passedOver, input.responsibleSince)
    // Nobody expects a run from a KronJob that was just created.
    if (newlyResponsible === 'created' || !wouldHaveRun(input, passedOver)) return
    record.report(notResponsibleEvent(passedOver))
  }

  /** The engine could not answer: nothing is handled, and it is asked again. */
  #undecided(record: KronJobRecord, error: unknown): number {
    rethrowLost(error)
    const nominal = record.planned?.nominalTime
    this.#ports.observer.failed('decide')
    this.#ports.events.failure(error, 'decide', record, nominal)
    record.trouble = undecidedTrouble(error)
    record.reportTrouble(undecidedEvent(record.trouble, this.#now()))
    return this.#now() + retryDelayMs(++record.undecided, error)
  }

  /** Events, status and history. Answers when to look again for their sake, or null. */
  async tidyUp(record: KronJobRecord): Promise<number | null> {
    const { writer, events, observer } = this.#ports
    if (record.isDeleting) return null
    const awaited = checkDueAt(record) === null ? null : record.template.awaitedUntil(this.#now())
    if (awaited !== null) return awaited
    try {
      const again = await writer.write(record, this.#now())
      record.writeFailures = 0
      return again ?? (await this.#prune(record))
    } catch (error) {
      rethrowLost(error)
      observer.failed('write_status')
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
      await this.#ports.requests.pruneJob({ namespace, name }, uid)
      record.jobs.delete(name)
      this.#ports.events.pruned(record, name)
    }
    return again
  }

  #now(): number {
    return this.#ports.clock.now().getTime()
  }
}
