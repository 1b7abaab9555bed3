import { type Decision, formatInstant, scheduleText } from '@kron/core'
import { type ClockJump, decisionFields, type Log } from '@kron/runtime'
import type { OnLine } from '../process/index.js'
import type { JobRecord } from './job-record.js'
import { type EventName, type LogEvents, levelOf } from './log-events.js'

/** Writes events with exactly the fields that the audit reads. */
export class EventLog {
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  event<E extends EventName>(name: E, fields: LogEvents[E]): void {
    this.#log[levelOf(name, fields)](name, { ...fields })
  }

  clockJump({ from, to }: ClockJump): void {
    const jump = { from: formatInstant(from), to: formatInstant(to), jump_ms: to - from }
    this.event('clock_jump', jump)
  }

  decision(record: JobRecord, decision: Decision): void {
    this.event('decision', {
      ...ofPeriod(record, decision.nominalTime),
      ...decisionFields(record.hostJob.job, decision),
    })
  }

  /** Logs the lines that an execution writes. */
  lineLogger(record: JobRecord, nominal: number): OnLine {
    return (stream, line) => this.event('output', { ...ofPeriod(record, nominal), stream, line })
  }

  unplanned({ identity, hostJob }: JobRecord, reason: LogEvents['unplanned']['reason']): void {
    const { job } = hostJob
    const schedule = scheduleText(job)
    this.event('unplanned', { identity, reason, schedule, dialect: job.spec.dialect })
  }

  failure(error: unknown, operation: string, record?: JobRecord, nominal?: number): void {
    this.#log.failure(error, {
      identity: record?.identity,
      period_id: nominal === undefined ? undefined : formatInstant(nominal),
      operation,
    })
  }
}

export function ofPeriod(record: JobRecord, nominal: number) {
  return { identity: record.identity, period_id: formatInstant(nominal) }
}
