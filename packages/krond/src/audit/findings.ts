import { tzdataVersion } from '@kron/core'
import type { Outcome } from '../state/index.js'
import { type AuditReport, mostViolations, type Violation } from './audit-report.js'
import type { AuditRule } from './audit-rules.js'
import type { LogLine } from './log-line.js'

/** How long the daemon may take to notice that the clock was set: it wakes every 60 s. */
const noticedWithinMs = 120_000

interface Found {
  readonly violation: Violation
  /** How many lines had been read. */
  readonly after: number
}

interface Suspicion extends Found {
  readonly time: number
  /** A time that the clock had shown; lines before it prove that it was set back. */
  readonly provenAt: number | null
}

/** What an audit counts and finds while it reads. */
export class Findings {
  lines = 0
  lives = 0
  recomputed = 0
  notComparable = 0
  executions = 0
  torn = 0
  unknownEvents = 0
  unverified = 0
  readonly outcomes: Record<Outcome, number> = {
    executed: 0,
    skipped: 0,
    missed: 0,
    unschedulable: 0,
  }
  #violationCount = 0
  readonly #byRule: Partial<Record<AuditRule, number>> = {}
  #suspicions: Suspicion[] = []
  readonly #found: Found[] = []

  violated(rule: AuditRule, line: LogLine, message: string): void {
    this.#add({ violation: violationOf(rule, line, message), after: this.lines })
  }

  /** Violated, unless the log goes on to say that the clock was set back. */
  suspected(rule: AuditRule, line: LogLine, message: string, provenAt: number | null): void {
    const violation = violationOf(rule, line, message)
    this.#suspicions.push({ violation, after: this.lines, time: line.time, provenAt })
  }

  forgive(): void {
    if (this.#suspicions.length > 0) this.#suspicions = []
  }

  /** Suspicions that nothing has explained by `time`, or by the end of the log, are violations. */
  settle(time = Number.POSITIVE_INFINITY): void {
    if (this.#suspicions.length === 0) return
    const open: Suspicion[] = []
    for (const suspicion of this.#suspicions) {
      if (time - suspicion.time > noticedWithinMs) this.#add(suspicion)
      else if (suspicion.provenAt === null || time >= suspicion.provenAt) open.push(suspicion)
    }
    this.#suspicions = open
  }

  #add(found: Found): void {
    const { rule } = found.violation
    this.#violationCount++
    this.#byRule[rule] = (this.#byRule[rule] ?? 0) + 1
    if (this.#found.length < mostViolations) this.#found.push(found)
  }

  report(jobs: number): AuditReport {
    return {
      lines: this.lines,
      lives: this.lives,
      jobs,
      decisions: { recomputed: this.recomputed, not_comparable: this.notComparable },
      executions: this.executions,
      outcomes: { ...this.outcomes },
      torn: this.torn,
      unknown_events: this.unknownEvents,
      unverified: this.unverified,
      tzdata: tzdataVersion,
      violation_count: this.#violationCount,
      violations_by_rule: { ...this.#byRule },
      violations: this.#found
        .toSorted((a, b) => a.after - b.after)
        .map(({ violation }) => violation),
    }
  }
}

function violationOf(rule: AuditRule, line: LogLine, message: string): Violation {
  const { identity, period_id } = line.fields
  return {
    file: line.file,
    line: line.number,
    event: line.event === '' ? null : line.event,
    identity: typeof identity === 'string' ? identity : null,
    period_id: typeof period_id === 'string' ? period_id : null,
    rule,
    message,
  }
}
