import {
  type Decision,
  dueTime,
  evaluate,
  executableUntil,
  formatInstant,
  type PlannedPeriod,
  plannedPeriod,
  SchedulingError,
  type Verdict,
} from '@kron/core'
import { type Agenda, type Backoff, backoffMs } from '@kron/runtime'
import { type HandledPeriod, handled, type Outcome } from '../state/index.js'
import { type EventLog, ofPeriod } from './event-log.js'
import type { JobRecord } from './job-record.js'
import type { Ledger } from './ledger.js'
import type { LogEvents } from './log-events.js'
import { nextPeriod } from './next-period.js'
import type { Places } from './places.js'
import type { DaemonOptions, DaemonPorts } from './ports.js'
import type { Rush } from './rush.js'
import type { Starter } from './starter.js'

/** Between attempts at a period that could not be decided or started. */
export const attemptBackoff: Backoff = { firstMs: 1000, maxMs: 60_000 }

/** Why a period that was planned already is planned again. */
export type ReplanReason = 'reload' | 'clock'

/**
 * Brings each job from one period to the next. A job moves on only when the write that the move
 * depends on is on disk:
 *
 *   planned ──due──▶ verdict ─┬─ skipped, missed, unschedulable ──write──▶ planned (next period)
 *      ▲                      ├─ execute ──gate, write, release──▶ planned (next period)
 *      ├──────── backoff ─────┼─ execute, but it could not be started
 *      └─ its turn comes ─────┴─ execute, but no place is free
 *
 * What is put off is judged again when its deadline passes or the next period takes over, if not
 * before: every planned period comes to an outcome and a line of the log while the daemon lives.
 */
export class PeriodHandler {
  readonly #ports: DaemonPorts
  readonly #options: DaemonOptions
  readonly #ledger: Ledger
  readonly #agenda: Agenda<JobRecord>
  readonly #places: Places
  readonly #rush: Rush
  readonly #starter: Starter
  readonly #events: EventLog
  /** Periods that are being started or settled. */
  readonly #underWay = new Set<Promise<void>>()
  #closed = false

  constructor(
    ports: DaemonPorts,
    options: DaemonOptions,
    ledger: Ledger,
    agenda: Agenda<JobRecord>,
    places: Places,
    rush: Rush,
    starter: Starter,
    events: EventLog,
  ) {
    this.#ports = ports
    this.#options = options
    this.#ledger = ledger
    this.#agenda = agenda
    this.#places = places
    this.#rush = rush
    this.#starter = starter
    this.#events = events
  }

  /** Nothing is planned, triggered or started any more. */
  close(): void {
    this.#closed = true
    this.#starter.stop()
  }

  /** Whether no period is being started or settled. */
  get isSettled(): boolean {
    return this.#underWay.size === 0
  }

  /** Until no period is being started or settled. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
  }

  /**
   * Decides about the next period of a job and waits for it. A job that is being started or
   * settled is planned when that is over.
   */
  plan(record: JobRecord, reason?: ReplanReason): void {
    if (record.busy || this.#closed) return
    const before = record.planned
    record.planned = null
    this.#agenda.remove(record)
    this.#places.leave(record)
    if (record.retired) return
    if (record.suspended) {
      this.#unplanned(record, 'suspended', reason)
      return
    }
    const { job } = record.hostJob
    try {
      const now = this.#now()
      const decision = this.#nextPeriod(record, now)
      if (decision === null) {
        this.#unplanned(record, 'finished', reason)
        return
      }
      record.unplanned = null
      const planned = plannedPeriod(decision)
      const nominal = planned.nominalTime
      const due = dueTime(job, planned)
      if (before?.nominalTime !== nominal) record.failures = 0
      if (before?.nominalTime !== nominal || reason === 'reload') {
        this.#events.decision(record, decision)
      } else if (reason !== undefined) this.#rescheduled(record, nominal, due, reason)
      record.planned = planned
      this.#agenda.set(record, due)
    } catch (error) {
      this.#retryAfter(error, 'decide', record)
    }
  }

  /** Does what the policy says about a job that is due. Resolves when that is on disk. */
  async trigger(record: JobRecord, now: number): Promise<void> {
    if (this.#closed) return
    const { planned } = record
    if (planned === null) return this.plan(record)
    const verdict = this.#verdict(record, planned, now)
    if (verdict === null || verdict.kind === 'suspended') return
    if (verdict.kind === 'handled' || verdict.kind === 'notResponsible') return this.plan(record)
    if (verdict.kind === 'wait') {
      this.#places.leave(record)
      return this.#agenda.set(record, verdict.until)
    }
    if (verdict.kind === 'execute' && !this.#hasPlace(record, verdict.replace)) {
      return this.#queue(record, planned)
    }
    this.#agenda.remove(record)
    this.#places.leave(record)
    this.#events.event('trigger', {
      ...ofPeriod(record, planned.nominalTime),
      verdict: verdict.kind,
      late_ms: now - (planned.chosenTime ?? planned.windowStart),
      judged_at: new Date(now).toISOString(),
    })
    record.busy = true
    const work =
      verdict.kind === 'execute'
        ? this.#execute(record, planned, verdict.replace)
        : this.#settle(record, planned, verdict)
    this.#underWay.add(work)
    try {
      await work
    } finally {
      this.#underWay.delete(work)
    }
  }

  /** Logged once, and again after a reload: the log says of every job in it how that is. */
  #unplanned(
    record: JobRecord,
    why: 'suspended' | 'finished',
    reason: ReplanReason | undefined,
  ): void {
    if (record.unplanned === why && reason !== 'reload') return
    record.unplanned = why
    this.#events.unplanned(record, why)
  }

  #verdict(record: JobRecord, planned: PlannedPeriod, now: number): Verdict | null {
    const { job } = record.hostJob
    try {
      return evaluate({
        decision: planned,
        policy: job.policy,
        now,
        handledThrough: record.handledThrough,
        active: record.executions.length > 0,
        supersededAt: job.supersededAt(planned.nominalTime),
        responsibleSince: record.responsibleSince,
      })
    } catch (error) {
      this.#retryAfter(error, 'evaluate', record, planned.nominalTime)
      return null
    }
  }

  /** The next period that this host is responsible for; one that it is not is logged once. */
  #nextPeriod(record: JobRecord, now: number): Decision | null {
    const { handledThrough, responsibleSince, hostJob } = record
    const { decision, passedOver } = nextPeriod(hostJob.job, now, handledThrough, responsibleSince)
    if (passedOver !== null && passedOver.nominalTime !== record.passedOver) {
      const { nominalTime, chosenTime, windowStart } = passedOver
      record.passedOver = nominalTime
      this.#events.event('not_responsible', {
        ...ofPeriod(record, nominalTime),
        due: formatInstant(chosenTime ?? windowStart),
        responsible_since: new Date(responsibleSince ?? now).toISOString(),
      })
    }
    return decision
  }

  /** What replaces an execution has the place of that one, and waits for no other. */
  #hasPlace(record: JobRecord, replace: boolean): boolean {
    if (!replace) return this.#places.take(record)
    this.#places.occupy()
    return true
  }

  /** Nothing is on disk of a start that waits: dying here leaves a period that is not handled. */
  #queue(record: JobRecord, planned: PlannedPeriod): void {
    const due = executableUntil(record.hostJob.job, planned)
    this.#rescheduled(record, planned.nominalTime, due, 'queue')
    this.#places.wait(record)
    this.#agenda.set(record, due)
    // Executions that are over give their places back when their end is on disk.
    this.#rush.release()
  }

  async #execute(record: JobRecord, planned: PlannedPeriod, replace: boolean): Promise<void> {
    const { nominalTime: nominal, chosenTime: chosen } = planned
    if (chosen === null) throw noChosenTime(record, nominal)
    const { hostJob } = record
    const result = await this.#starter.start({ record, nominal, chosen, replace, hostJob })
    record.busy = false
    // A reload in the meantime may have left nothing of the period.
    if (record.hostJob !== hostJob) return this.plan(record, 'reload')
    if (result !== 'failed') return this.plan(record)
    if (this.#closed || record.retired) return
    const again = this.#now() + backoffMs(attemptBackoff, ++record.failures)
    const due = Math.min(again, executableUntil(hostJob.job, planned))
    this.#rescheduled(record, nominal, due, 'retry')
    this.#agenda.set(record, due)
  }

  /** Not executed, and final: the reason is logged when it is on disk. */
  async #settle(record: JobRecord, planned: PlannedPeriod, verdict: Settled): Promise<void> {
    const { nominalTime: nominal, chosenTime: chosen } = planned
    const period: HandledPeriod = { nominal, chosen, outcome: verdict.kind }
    const occasion = { at: this.#now(), historyLength: this.#options.historyLength }
    await this.#ledger.change(record, nominal, (state) => handled(state, period, occasion))
    this.#ports.observer.handled(verdict.kind)
    const fields = { ...ofPeriod(record, nominal), reason: verdict.reason }
    const { kind } = verdict
    if (kind === 'missed') this.#events.event('missed_deadline', { ...fields, outcome: kind })
    else if (kind === 'unschedulable') {
      this.#events.event('constraint_unsatisfiable', { ...fields, outcome: kind })
    } else this.#events.event(`skipped_${verdict.reason}`, { ...fields, outcome: kind })
    record.busy = false
    this.plan(record)
  }

  #rescheduled(
    record: JobRecord,
    nominal: number,
    due: number,
    reason: LogEvents['reschedule']['reason'],
  ): void {
    const fields = { ...ofPeriod(record, nominal), due: formatInstant(due), reason }
    this.#events.event('reschedule', fields)
  }

  /** The engine could not answer: the period is not handled, and is asked about again. */
  #retryAfter(error: unknown, operation: string, record: JobRecord, nominal?: number): void {
    this.#events.failure(error, operation, record, nominal)
    this.#ports.observer.failed(operation)
    this.#agenda.set(record, this.#now() + backoffMs(attemptBackoff, ++record.failures))
  }

  #now(): number {
    return this.#ports.clock.now().getTime()
  }
}

type Settled = Extract<Verdict, { kind: Exclude<Outcome, 'executed'> }>

function noChosenTime(record: JobRecord, nominal: number): SchedulingError {
  const message = `period ${formatInstant(nominal)} is to be executed but has no chosen time`
  return new SchedulingError('KRON_INVARIANT', message, {
    field: 'chosenTime',
    identity: record.identity,
  })
}
