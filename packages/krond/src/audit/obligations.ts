import { formatInstant } from '@kron/core'
import { DueHeap } from '@kron/runtime'
import type { JobRecord } from './job-record.js'
import type { AuditState } from './life.js'
import type { LogLine, Place } from './log-line.js'

/** A timer may be so late; beyond that the daemon says that the clock jumped. */
const timerSlackMs = 6000
/** From the outcome of a period to the plan of the next one there is nothing to wait for. */
const planningMs = 20_000
/** From a verdict to its outcome there is a write, and a start that may hang. */
const settlingMs = 300_000
/** A clock that jumped is noticed within a minute, and a machine may be very busy. */
const patienceMs = 300_000

/** Jumps are logged to the second. */
const secondMs = 1000

/** When the loop looked for what was due, and the line that shows it. */
interface Turn {
  readonly at: number
  readonly index: number
  readonly isJump: boolean
}

/**
 * What must follow from what the log has said, and when at the latest:
 *
 * | said | must follow | found missing |
 * | --- | --- | --- |
 * | a period is planned | its verdict, or that it is put off | by the next turn of the loop that |
 * | | | comes after its time, at `stop`, or minutes later |
 * | a verdict | the outcome, or an error and a retry | by the next plan, or minutes later |
 * | an outcome | the plan of the next period, or why not | by lines minutes later |
 *
 * A line proves that the daemon lived at its time. A line that comes long after the time of a
 * period does not prove that the loop had turned by then: a clock that jumped is noticed within a
 * minute. A line of the loop itself does prove it: the loop takes all that is due at once.
 */
export class Obligations {
  /** By when they are due. */
  readonly #due = new DueHeap<JobRecord>()
  /** By when a line proves that something is missing. */
  readonly #looks = new DueHeap<JobRecord>()
  #turn: Turn | null = null

  /** What is planned late is due when it is planned. */
  planned(record: JobRecord, now: number): void {
    const due = Math.max(record.plan!.due, now)
    if (!Number.isFinite(due)) {
      this.clear(record)
      return
    }
    record.overdueSince = null
    this.#due.set(record, due)
    this.#looks.set(record, due + timerSlackMs)
  }

  triggered(record: JobRecord, time: number): void {
    this.#due.remove(record)
    record.overdueSince = null
    this.#looks.set(record, time + settlingMs)
  }

  settled(record: JobRecord, time: number): void {
    this.#due.remove(record)
    record.overdueSince = null
    this.#looks.set(record, time + planningMs)
  }

  clear(record: JobRecord): void {
    this.#due.remove(record)
    this.#looks.remove(record)
  }

  /** Nothing is planned or triggered any more, or another life begins. */
  end(): void {
    this.#due.clear()
    this.#looks.clear()
    this.#turn = null
  }

  /** The daemon lives at the time of this line. */
  look(state: AuditState, line: LogLine): void {
    while ((this.#looks.peek()?.due ?? Number.POSITIVE_INFINITY) <= line.time) {
      const record = this.#looks.pop()!.key
      if (record.overdueSince !== null) {
        this.#miss(state, record)
        continue
      }
      record.overdueSince = line.time
      this.#looks.set(record, line.time + patienceMs)
    }
  }

  /** The loop took all that was due at this time. */
  turned(state: AuditState, at: number, line: LogLine): void {
    const turn = this.#turn
    if (turn?.at === at) return
    if (turn?.isJump && at >= turn.at && at < turn.at + secondMs) {
      this.#turn = { at, index: turn.index, isJump: false }
      return
    }
    this.#turn = { at, index: line.index, isJump: line.event === 'clock_jump' }
    if (turn !== null) this.#missDue(state, turn.at, ({ plan }) => plan!.dueSince < turn.index)
  }

  /** What was due by then has no verdict and will get none. */
  stopped(state: AuditState, line: LogLine): void {
    const jump = state.life.lastJump
    const jumped = jump !== null && jump.index === line.index - 1 && jump.to > jump.from
    const until = jumped ? jump.from : line.time
    this.#missDue(state, until - timerSlackMs, () => true)
    this.end()
  }

  #missDue(state: AuditState, until: number, isMissing: (record: JobRecord) => boolean): void {
    const later: JobRecord[] = []
    for (const record of this.#due.popDue(until)) {
      if (isMissing(record)) {
        this.#looks.remove(record)
        this.#miss(state, record)
      } else later.push(record)
    }
    for (const record of later) this.#due.set(record, until)
  }

  #miss({ findings, life }: AuditState, record: JobRecord): void {
    const { phase, plan, trigger } = record
    if (record.gaps !== life.gaps) return
    // An older krond does not say which jobs a reload took away.
    if (life.unnamed > 0 && phase !== 'triggered') {
      life.unnamed--
      findings.unnamed++
    } else if (phase === 'planned') findings.violated('unhandled', plan!.place, overdueText(record))
    else if (phase === 'triggered') {
      const text = `no outcome follows the verdict ${trigger!.verdict}`
      findings.violated('unfinished', trigger!.place, text)
    } else if (phase === 'settled') {
      const text = 'no decision about the next period follows'
      findings.violated('unplanned', record.lastPlace as Place, text)
    }
    this.clear(record)
  }
}

function overdueText({ plan }: JobRecord): string {
  return `due at ${formatInstant(plan!.due)} while krond lived, but no verdict follows`
}
