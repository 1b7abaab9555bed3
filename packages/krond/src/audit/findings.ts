import { tzdataVersion } from '@kron/core'
import { counted } from '@kron/runtime'
import type { Outcome } from '../state/index.js'
import { type AuditReport, type AuditRule, maxViolations, type Violation } from './audit-report.js'
import type { Place } from './log-line.js'

/** How long the daemon may take to notice that the clock was set: it wakes every 60 s. */
const noticedWithinMs = 120_000
const turnMs = 61_000

/** A change of the clock that would explain what was found. */
export type ClockChange = 'back' | 'forward' | 'any'

interface Found {
  readonly violation: Violation
  /** The place in all files of what is wrong. */
  readonly after: number
}

interface Suspicion extends Found {
  readonly time: number
  readonly forgivenBy: ClockChange
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
  /** Lines that the log says were not written. */
  dropped = 0
  /** Jobs of which an older krond does not say whether a reload took them away. */
  unnamed = 0
  /** Runs of daemons that do not tell of every job. */
  untoldLives = 0
  /** Runs of daemons that may tell more than we know of. */
  newerLives = 0
  /** Other databases than ours, and how many runs had each. */
  readonly otherTzdata = new Map<string, number>()
  readonly outcomes: Record<Outcome, number> = {
    executed: 0,
    skipped: 0,
    missed: 0,
    unschedulable: 0,
  }
  #violationCount = 0
  readonly #byRule: Partial<Record<AuditRule, number>> = {}
  #suspicions: Suspicion[] = []
  #lastTime = 0
  readonly #found: Found[] = []

  violated(rule: AuditRule, place: Place, message: string): void {
    this.#add({ violation: violationOf(rule, place, message), after: place.index })
  }

  /** Violated, unless the log goes on to say that the clock was set. */
  suspected(
    rule: AuditRule,
    place: Place,
    message: string,
    forgivenBy: ClockChange,
    provenAt: number | null = null,
  ): void {
    const violation = violationOf(rule, place, message)
    const { time, index } = place
    this.#suspicions.push({ violation, after: index, time, provenAt, forgivenBy })
  }

  forgive(change: ClockChange): void {
    if (this.#suspicions.length === 0) return
    this.#suspicions = this.#suspicions.filter(
      ({ forgivenBy }) => change !== 'any' && forgivenBy !== 'any' && forgivenBy !== change,
    )
  }

  /**
   * Suspicions that nothing has explained by `time`, or by the end of the log, are violations. In
   * the last lines of a daemon that lives, the one that explains them may still be to come.
   */
  settle(until: number | 'over' | 'alive'): void {
    if (typeof until === 'number') this.#lastTime = until
    if (this.#suspicions.length === 0) return
    const open: Suspicion[] = []
    for (const suspicion of this.#suspicions) {
      const { time, provenAt } = suspicion
      if (until === 'alive') {
        if (this.#lastTime - time > turnMs) this.#add(suspicion)
      } else if (until === 'over' || until - time > noticedWithinMs) this.#add(suspicion)
      else if (provenAt === null || until >= provenAt) open.push(suspicion)
    }
    this.#suspicions = open
  }

  #add(found: Found): void {
    const { rule } = found.violation
    this.#violationCount++
    this.#byRule[rule] = (this.#byRule[rule] ?? 0) + 1
    if (this.#found.length < maxViolations) this.#found.push(found)
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
      dropped: this.dropped,
      unproved: unprovedOf(this),
      tzdata: tzdataVersion,
      violation_count: this.#violationCount,
      violations_by_rule: { ...this.#byRule },
      violations: this.#found
        .toSorted((a, b) => a.after - b.after)
        .map(({ violation }) => violation),
    }
  }
}

function violationOf(rule: AuditRule, line: Place, message: string): Violation {
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

/** What the log can't tell, in words. */
function unprovedOf({
  dropped,
  unverified,
  unnamed,
  untoldLives,
  newerLives,
  otherTzdata,
}: Findings): string[] {
  const texts: [number, string][] = [
    [dropped, `${counted(dropped, 'line')} dropped, as the log says`],
    [unverified, `${counted(unverified, 'event')} about something that no line mentions`],
    [
      unnamed,
      `${counted(unnamed, 'job')} that a reload changed or took away, without a line that names them`,
    ],
    [
      untoldLives,
      `${counted(untoldLives, 'daemon run')} of a krond whose log does not show every job`,
    ],
  ]
  if (newerLives > 0) {
    texts.push([newerLives, `${counted(newerLives, 'daemon run')} of a newer krond than this`])
  }
  const databases = [...otherTzdata].map(
    ([version, runs]) =>
      `decisions of ${counted(runs, 'daemon run')} with tzdata ${version} in zones that may differ`,
  )
  return [...texts.filter(([count]) => count > 0).map(([, text]) => text), ...databases]
}
