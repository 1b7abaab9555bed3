import { type Decision, formatInstant, type Job } from '@kron/core'
import { type ClockJump, decisionFields, type Log } from '@kron/runtime'
import type { OwnedJob } from '../job/index.js'
import type { HandledPeriod } from '../record/handled-period.js'
import type { KronJobRecord } from '../record/kron-job-record.js'

type Named = Pick<KronJobRecord, 'identity'>

const nameOf: Record<HandledPeriod['outcome'], string> = {
  executed: 'started',
  skipped: 'skipped',
  missed: 'missed_deadline',
  unschedulable: 'constraint_unsatisfiable',
}

/** The same events and fields as the log of krond, with Jobs in the place of processes. */
export class EventLog {
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  decision(record: Named, job: Job, decision: Decision): void {
    const fields = decisionFields(job, decision)
    this.#log.info('decision', { ...ofPeriod(record, decision.nominalTime), ...fields })
  }

  trigger(record: Named, decision: Decision, verdict: string, now: number): void {
    const due = decision.chosenTime ?? decision.windowStart
    const fields = { verdict, late_ms: now - due }
    this.#log.info('trigger', { ...ofPeriod(record, decision.nominalTime), ...fields })
  }

  started(record: Named, decision: Decision, job: string, existed: boolean): void {
    const fields = { outcome: 'executed', job, ...(existed && { existed }) }
    this.#log.info('started', { ...ofPeriod(record, decision.nominalTime), ...fields })
  }

  settled(record: Named, { nominalTime, outcome, reason }: HandledPeriod): void {
    const name = outcome === 'skipped' ? `skipped_${reason}` : nameOf[outcome]
    const level = outcome === 'unschedulable' ? 'warn' : 'info'
    this.#log[level](name, { ...ofPeriod(record, nominalTime), outcome, reason })
  }

  /** Without an outcome: the period was due before we answered for the KronJob as it is now. */
  notResponsible(record: Named, { nominalTime }: Decision, since: number): void {
    const fields = { responsible_since: formatInstant(since) }
    this.#log.info('not_responsible', { ...ofPeriod(record, nominalTime), ...fields })
  }

  replaced(record: Named, nominalTime: number, job: string): void {
    this.#log.info('replaced', { ...ofPeriod(record, nominalTime), job })
  }

  /** A period waits, for so long, until a Job that it replaces is gone. */
  waiting(record: Named, nominalTime: number, job: OwnedJob, waitedMs: number): void {
    const { name, deletingSince } = job
    const since = formatInstant(deletingSince ?? 0)
    const fields = { job: name, deleting_since: since, waited_ms: waitedMs }
    this.#log.warn('replacement_waiting', { ...ofPeriod(record, nominalTime), ...fields })
  }

  /** A Job that failed is an error of its execution, with the fields of the error model. */
  completed({ identity }: Named, { name, period, state }: OwnedJob): void {
    const period_id = period === null ? undefined : formatInstant(period.nominalTime)
    const fields = { identity, ...(period_id && { period_id }), job: name, result: state }
    if (state !== 'failed') this.#log.info('completed', fields)
    else {
      const error = { error_type: 'ExecutionError', operation: 'run_job' }
      this.#log.error('completed', { ...fields, ...error, message: `Job ${name} failed` })
    }
  }

  pruned(record: Named, job: string): void {
    this.#log.debug('pruned', { identity: record.identity, job })
  }

  /** A jump back is worth a warning: nothing runs twice, so jobs may stand still for as long. */
  clockJump({ from, to }: ClockJump): void {
    const level = to < from ? 'warn' : 'info'
    const fields = { from: formatInstant(from), to: formatInstant(to), jump_ms: to - from }
    this.#log[level]('clock_jump', fields)
  }

  failure(error: unknown, operation: string, record?: Named, nominal?: number): void {
    this.#log.failure(error, {
      identity: record?.identity,
      period_id: nominal === undefined ? undefined : formatInstant(nominal),
      operation,
    })
  }
}

function ofPeriod(record: Named, nominal: number) {
  return { identity: record.identity, period_id: formatInstant(nominal) }
}
