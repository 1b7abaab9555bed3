import { type Decision, formatInstant } from '@kron/core'
import { type ClockJump, decisionFields, type Log } from '@kron/runtime'
import type { OnLine } from '../process/index.js'
import type { JobRecord } from './job-record.js'
import type { LogEvents } from './log-events.js'

type EventName = keyof LogEvents
type Level = 'info' | 'warn' | 'error'

const levels: Partial<Record<EventName, Level>> = {
  constraint_unsatisfiable: 'warn',
  timed_out: 'warn',
  state_lost: 'error',
}

/** Writes events with exactly the fields that the audit reads. */
export class EventLog {
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  event<E extends EventName>(name: E, fields: LogEvents[E]): void {
    this.#log[levels[name] ?? 'info'](name, { ...fields })
  }

  /** Back is worth a warning: nothing runs again, so jobs may stand still for as long. */
  clockJump({ from, to }: ClockJump): void {
    const level = to < from ? 'warn' : 'info'
    const fields = { from: formatInstant(from), to: formatInstant(to), jump_ms: to - from }
    this.#log[level]('clock_jump', fields satisfies LogEvents['clock_jump'])
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
