import { tzdataVersion } from '@kron/core'
import type { AuditReport } from './audit-report.js'
import { checkClockJump, checkOrder, checkReplanned } from './clock-check.js'
import { type EventName, errorFlaw, isKnownEvent, shapeFlaw } from './event-shapes.js'
import { Findings } from './findings.js'
import { isJobEvent, isPlanning, jobChecks } from './job-checks.js'
import { JobRecord } from './job-record.js'
import { checkAllPlanned, checkReload, checkStop, checkUnexplained } from './jobs-check.js'
import { type AuditState, Life } from './life.js'
import { fieldsOf, instantOf, type LogLine, startBehindTorn } from './log-line.js'
import { unplannedAfter } from './next-period-check.js'
import { Obligations } from './obligations.js'
import { noteError } from './reschedule-check.js'

/** Known, but nothing of the contract depends on them. */
const uncheckedEvents: readonly string[] = ['listening', 'notice']

/** Proves krond's contract from its log, line by line; what it keeps grows only with the jobs. */
export class LogAudit {
  readonly #findings = new Findings()
  readonly #obligations = new Obligations()
  readonly #records = new Map<string, JobRecord>()
  /** Null before the first event. */
  #state: AuditState | null = null
  #file: string | null = null
  #lineNumber = 0
  #isJson = false
  #isUnfinished = false
  /** A line that is not JSON, until the next line shows whether a crash tore it. */
  #broken: LogLine | null = null

  get lines(): number {
    return this.#findings.lines
  }

  /** Whether the file is longer than so many lines, and none of them is one of a JSON log. */
  isNoJson(lines: number): boolean {
    return !this.#isJson && this.#lineNumber + (this.#isUnfinished ? 1 : 0) > lines
  }

  /** Lines that follow are those of this file, which continues the one before. */
  enter(file: string): void {
    this.#file = file
    this.#lineNumber = 0
    this.#isJson = false
    this.#isUnfinished = false
  }

  read(text: string): void {
    this.#findings.lines++
    this.#lineNumber++
    const fields = fieldsOf(text)
    if (fields !== null) {
      this.#isJson = true
      this.#readFields(fields)
    } else this.#readBroken(text)
  }

  /** What stands behind the last line end: a whole line, or one that is being written. */
  readUnfinished(text: string): void {
    if (fieldsOf(text) !== null || startBehindTorn(text) !== null) this.read(text)
    else if (text !== '') {
      this.#findings.torn++
      this.#isUnfinished = true
      if (text.startsWith('{')) this.#isJson = true
    }
  }

  end(): AuditReport {
    this.#giveUpBroken()
    this.#findings.settle(this.#state?.life.stopped === false ? 'alive' : 'over')
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
    this.#readEvent(line)
  }

  #lineOf(event: string, time: number, fields: Record<string, unknown>): LogLine {
    const index = this.#findings.lines
    return { file: this.#file, number: this.#lineNumber, index, event, time, fields }
  }

  #readEvent(line: LogLine): void {
    const { event, fields } = line
    const state = event === 'start' ? this.#beginLife(line) : (this.#state ?? this.#beginLate(line))
    this.#findings.settle(line.time)
    if (event !== 'clock_jump') checkOrder(state, line)
    if (isKnownEvent(event)) {
      const flaw = shapeFlaw(event, fields, state.life.tellsAll)
      if (flaw === null) this.#check(state, event, line)
      else this.#findings.violated('shape', line, flaw)
    } else if (event === 'log_dropped') this.#loseLines(state, line)
    else if (event === 'error') this.#checkError(state, line)
    else if (!uncheckedEvents.includes(event)) this.#findings.unknownEvents++
    state.life.lastTime = line.time
  }

  #checkError(state: AuditState, line: LogLine): void {
    const flaw = errorFlaw(line.fields)
    if (flaw === null) noteError(state, this.#recordOf(state, line), line)
    else this.#findings.violated('shape', line, flaw)
  }

  #check(state: AuditState, event: EventName, line: LogLine): void {
    const { life, obligations } = state
    const planning = isPlanning(event, line)
    if (planning && life.stage === 'starting') life.stage = 'planning'
    if (planning && isLong(life, line)) this.#endPlanning(state, event, line)
    if (!planning && event !== 'output') this.#endPlanning(state, event, line)
    if (life.acts && event !== 'stop') obligations.look(state, line)
    this.#endPassing(state, event, line)
    if (event === 'stop') checkStop(state, line)
    else if (event === 'clock_jump') checkClockJump(state, this.#records.values(), line)
    else if (event === 'reload') checkReload(state, line)
    else if (isJobEvent(event)) jobChecks[event](state, this.#recordOf(state, line)!, line)
  }

  /** Plans of one occasion stand together: here they are complete. */
  #endPlanning(state: AuditState, event: EventName, line: LogLine): void {
    const { life } = state
    if (life.replanning !== null) {
      if (event === 'stop') life.replanning = null
      else checkReplanned(state, this.#records.values())
    }
    if (event === 'reload') return
    if (life.stage === 'planning' || (life.stage === 'starting' && event === 'trigger')) {
      checkAllPlanned(state, line)
    }
    if (life.changes.size > 0) checkUnexplained(state)
  }

  /** Behind a period that was passed over stands the plan of another one of the same job. */
  #endPassing({ findings, life }: AuditState, event: EventName, { fields }: LogLine): void {
    const record = life.passing
    if (record === null) return
    life.passing = null
    const isPlan = event === 'decision' || event === 'unplanned' || event === 'reschedule'
    if (!isPlan || fields['identity'] !== record.identity) unplannedAfter({ findings }, record)
  }

  /** Nothing that stood before holds for sure, and nothing that is missing was not there. */
  #loseLines(state: AuditState, { fields }: LogLine): void {
    const { life } = state
    const count = fields['own']
    // Of what jobs wrote nothing depends on any line.
    if (count === 0) return
    this.#findings.dropped += typeof count === 'number' && count > 0 ? count : 1
    life.gaps++
    life.isOrdered = false
    life.changes.clear()
    life.removals = 0
    life.replanning = null
    life.passing = null
    life.stage = 'running'
    for (const record of this.#records.values()) record.enter(state)
  }

  /** The log begins in the middle of a life: what came before is as if it had been lost. */
  #beginLate(line: LogLine): AuditState {
    this.#findings.lives = 1
    return this.#begin(new Life(0, line))
  }

  #beginLife(line: LogLine): AuditState {
    const findings = this.#findings
    const ended = this.#state?.life ?? null
    // A daemon that was killed had perhaps not yet noticed that the clock had been set.
    if (ended?.stopped !== true) findings.forgive('any')
    findings.lives++
    const life = new Life((ended?.number ?? 0) + 1, line)
    if (!life.tellsAll) findings.untoldLives++
    else if (life.isNewer) findings.newerLives++
    if (ended?.began.time === line.time && ended.pid === life.pid) {
      findings.violated('time_order', line, `process ${life.pid} began twice in one instant`)
    }
    const { tzdata } = life
    if (tzdata !== null && tzdata !== tzdataVersion) {
      findings.otherTzdata.set(tzdata, (findings.otherTzdata.get(tzdata) ?? 0) + 1)
    }
    return this.#begin(life)
  }

  #begin(life: Life): AuditState {
    const before = this.#state?.life ?? null
    this.#obligations.end()
    this.#state = {
      findings: this.#findings,
      obligations: this.#obligations,
      life,
      before: before && {
        number: before.number,
        inOrder: before.stopped && before.isWhole,
        time: before.lastTime,
        machineEnded:
          before.bootId !== null && life.bootId !== null && before.bootId !== life.bootId,
      },
    }
    return this.#state
  }

  /** The record of the job that a line is about; null when it is about none. */
  #recordOf(state: AuditState, { event, fields }: LogLine): JobRecord | null {
    const { identity } = fields
    if (typeof identity !== 'string') return null
    const known = this.#records.get(identity)
    if (known === undefined && event === 'error') return null
    const record = known ?? new JobRecord(identity)
    this.#records.set(identity, record)
    record.enter(state)
    return record
  }
}

/** Plans of one occasion take no longer, however many they are. */
const longestPlanningMs = 60_000

const isLong = ({ replanning }: Life, { time }: LogLine): boolean =>
  replanning !== null && time - replanning.time > longestPlanningMs

/** Checks all lines of a log, which must be in the order in which they were written. */
export function auditLog(lines: Iterable<string>): AuditReport {
  const audit = new LogAudit()
  for (const line of lines) audit.read(line)
  return audit.end()
}
