import type { LogEvents } from '../daemon/log-events.js'
import type { AuditReport } from './audit-report.js'
import type { AuditState } from './audit-state.js'
import { type EventName, isKnownEvent, shapeFlaw } from './event-shapes.js'
import { Findings } from './findings.js'
import { isJobEvent, jobChecks } from './job-checks.js'
import { JobRecord } from './job-record.js'
import { fieldsOf, instantOf, type LogLine, startBehindTorn } from './log-line.js'

/** Known, but nothing of the contract depends on them. */
const uncheckedEvents: readonly string[] = ['error', 'listening', 'notice']

/** Proves krond's contract from its log, line by line; what it keeps grows only with the jobs. */
export class LogAudit {
  readonly #findings = new Findings()
  readonly #state: AuditState = { findings: this.#findings, life: 0, stopped: false, tzdata: null }
  readonly #records = new Map<string, JobRecord>()
  #file: string | null = null
  #lineNumber = 0
  /** A line that is not JSON, until the one behind it tells whether a crash tore it. */
  #broken: LogLine | null = null

  /** Lines that follow are those of this file, which continues the one before. */
  enter(file: string): void {
    this.#file = file
    this.#lineNumber = 0
  }

  read(text: string): void {
    this.#findings.lines++
    this.#lineNumber++
    const fields = fieldsOf(text)
    if (fields !== null) this.#readFields(fields)
    else this.#readBroken(text)
  }

  /** What stands behind the last line end: a whole line, or one that is being written. */
  readUnfinished(text: string): void {
    if (fieldsOf(text) !== null || startBehindTorn(text) !== null) this.read(text)
    else if (text !== '') this.#findings.torn++
  }

  end(): AuditReport {
    this.#giveUpBroken()
    this.#findings.settle()
    return this.#findings.report(this.#records.size)
  }

  #readBroken(text: string): void {
    this.#giveUpBroken()
    const start = startBehindTorn(text)
    if (start !== null) {
      this.#findings.torn++
      this.#readFields(start)
    } else this.#broken = this.#lineOf('', Number.NaN, {})
  }

  #giveUpBroken(): void {
    if (this.#broken === null) return
    this.#findings.violated('line', this.#broken, 'not a JSON object')
    this.#broken = null
  }

  #readFields(fields: Record<string, unknown>): void {
    const { event } = fields
    const time = instantOf(fields['time'])
    const line = this.#lineOf(typeof event === 'string' ? event : '', time, fields)
    if (line.event === 'start' && this.#broken !== null) {
      this.#broken = null
      this.#findings.torn++
    }
    this.#giveUpBroken()
    if (Number.isNaN(time) || line.event === '') {
      const missing = Number.isNaN(time) ? 'time must be an RFC 3339 time' : 'event must be text'
      this.#findings.violated('shape', line, missing)
      return
    }
    // A daemon that was killed had perhaps not yet noticed that the clock had been set back.
    if (line.event === 'start' && !this.#state.stopped) this.#findings.forgive()
    this.#findings.settle(time)
    if (!isKnownEvent(line.event)) {
      if (!uncheckedEvents.includes(line.event)) this.#findings.unknownEvents++
      return
    }
    const flaw = shapeFlaw(line.event, fields)
    if (flaw !== null) this.#findings.violated('shape', line, flaw)
    // A life begins even if the line that says so is flawed.
    if (flaw === null || line.event === 'start') this.#check(line.event, line)
  }

  #lineOf(event: string, time: number, fields: Record<string, unknown>): LogLine {
    return { file: this.#file, number: this.#lineNumber, event, time, fields }
  }

  #check(event: EventName, line: LogLine): void {
    const state = this.#state
    if (event === 'start') this.#beginLife(line)
    else if (state.life === 0) this.#findings.lives = 1
    if (event === 'stop') state.stopped = true
    else if (event === 'clock_jump') this.#noticeClock(line)
    else if (isJobEvent(event)) jobChecks[event](state, this.#recordOf(line), line)
  }

  /** What seemed too early was not, by the clock of its time. */
  #noticeClock({ fields }: LogLine): void {
    if ((fields as unknown as LogEvents['clock_jump']).jump_ms >= 0) return
    this.#findings.forgive()
    this.#forgetResponsibilities()
  }

  /** What the clock had said then is not later any more than what it says now. */
  #forgetResponsibilities(): void {
    for (const record of this.#records.values()) record.responsibleSince = null
  }

  #beginLife(line: LogLine): void {
    const { tzdata } = line.fields
    this.#findings.lives++
    this.#state.life++
    this.#state.stopped = false
    this.#forgetResponsibilities()
    this.#state.tzdata = typeof tzdata === 'string' ? tzdata : null
  }

  #recordOf({ fields }: LogLine): JobRecord {
    const identity = fields['identity'] as string
    const known = this.#records.get(identity)
    if (known !== undefined) return known
    const record = new JobRecord()
    this.#records.set(identity, record)
    return record
  }
}
