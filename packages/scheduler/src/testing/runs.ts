import { later, type Moment, type Position } from './moment.js'
import type { Outages } from './outages.js'
import type { Patience } from './patience.js'
import type { Registry } from './registry.js'
import type { Findings } from './report.js'
import type { TaskState } from './task-state.js'

/** What ended Active last; nothing has been Active before `never`. */
type Inactive = 'never' | 'SS' | 'SE' | 'Crash'

/** The runs of callbacks: S1, S2, S3, Th1, Th2, Th3 and L1. */
export class Runs {
  /** How many are open of each task; more than one is a violation already. */
  readonly #running = new Map<string, number>()
  readonly #registry: Registry
  readonly #findings: Findings
  readonly #patience: Patience
  readonly #outages: Outages
  readonly #mayOutliveStop: ReadonlySet<string>
  #activeSince: Moment | null = null
  #inactive: Inactive = 'never'

  constructor(
    registry: Registry,
    findings: Findings,
    patience: Patience,
    outages: Outages,
    mayOutliveStop: readonly string[],
  ) {
    this.#registry = registry
    this.#findings = findings
    this.#patience = patience
    this.#outages = outages
    this.#mayOutliveStop = new Set(mayOutliveStop)
  }

  get quiescent(): boolean {
    return this.#running.size === 0
  }

  get active(): boolean {
    return this.#activeSince !== null
  }

  start(name: string, now: Position): void {
    const state = this.#registry.find(name, now)
    this.#checkStart(name, state, now)
    if (state !== undefined) this.#checkLag(name, state, now, 'it was started only')
    state?.started(now)
    this.#registry.records.recorded(name, now)
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1)
  }

  end(name: string, succeeded: boolean, now: Position): void {
    const open = this.#running.get(name) ?? 0
    if (open === 0) {
      this.#findings.refuse('malformed', now, 'a run ended that was not open', name)
      return
    }
    if (open === 1) this.#running.delete(name)
    else this.#running.set(name, open - 1)
    const state = this.#registry.find(name, now)
    this.#registry.records.recorded(name, now)
    if (!succeeded) state?.failed(now)
    else if (state?.succeed(now) === false) {
      const message = 'it succeeded twice with no due minute between the starts'
      this.#findings.refuse('S2', now, message, name)
    }
  }

  activate(now: Position): void {
    this.#activeSince = now
    this.#registry.activate(now)
  }

  deactivate(now: Position, reason: Inactive): void {
    this.#inactive = reason
    if (this.#activeSince === null) return
    this.#registry.passTo(now)
    for (const [name, state] of this.#registry.entries) {
      this.#checkLag(name, state, now, 'it was not started')
    }
    this.#activeSince = null
    this.#registry.deactivate(now)
  }

  stopped(now: Position): void {
    this.deactivate(now, 'SE')
    this.#doubtRecordsOfOutage(now)
    for (const name of this.#running.keys()) {
      if (!this.#mayOutliveStop.has(name)) {
        this.#findings.refuse('S3', now, 'stop ended while it was running', name)
      } else {
        // Its end comes when nothing is there to record it.
        this.#registry.find(name, now)?.doubtRecord()
      }
    }
  }

  crashed(now: Position, uncertain: readonly string[], elsewhere: ReadonlySet<string>): void {
    this.#registry.records.doubt(uncertain, this.#outages.downSince(now))
    this.deactivate(now, 'Crash')
    this.#registry.passTo(now)
    for (const name of this.#running.keys()) {
      const state = this.#registry.find(name, now)
      if (elsewhere.has(name)) state?.goesOnElsewhere()
      else state?.orphaned(now)
    }
    this.#running.clear()
    this.#doubtRecordsOfOutage(now)
    for (const name of uncertain) this.#registry.find(name, now)?.doubtRecord()
  }

  finish(end: Position): void {
    this.#registry.passTo(end)
    for (const [name, state] of this.#registry.entries) {
      const since = this.#obligedSince(name, state)
      if (since === null || since.elapsed > end.elapsed) continue
      if (this.#checkLag(name, state, end, 'it was not started')) continue
      this.#findings.leaveOpen('L1', since, name)
    }
  }

  /** One violation for each start, the one that says most: S1 alone would cover the theorems. */
  #checkStart(name: string, state: TaskState | undefined, now: Position): void {
    const refuse = this.#findings.refuse.bind(this.#findings)
    if (this.#running.has(name)) refuse('Th2', now, 'it was started while it was running', name)
    else if (this.active && state === undefined) {
      refuse('S1', now, 'it was started without being registered', name)
    } else if (this.active) {
      if (!state?.mayStart) refuse('S1', now, 'it was started without being due', name)
    } else if (this.#inactive === 'Crash') {
      refuse('Th1', now, 'it was started after a crash, before initialize succeeded', name)
    } else if (this.#inactive === 'SE') {
      refuse('Th3', now, 'it was started after a stop, before initialize succeeded', name)
    } else {
      const when = this.#inactive === 'SS' ? 'after stop was called' : 'before initialize succeeded'
      refuse('S1', now, `it was started ${when}`, name)
    }
  }

  #obligedSince(name: string, state: TaskState): Moment | null {
    const since = state.mustStartSince
    if (since === null || this.#activeSince === null || this.#running.has(name)) return null
    return later(later(since, this.#activeSince), state.lastEnd)
  }

  #checkLag(name: string, state: TaskState, now: Position, complaint: string): boolean {
    const since = this.#obligedSince(name, state)
    if (since === null) return false
    if (!this.#patience.isLateForStorage(since, now, this.#registry.size)) return false
    const due = `due since ${new Date(since.wall).toISOString()}`
    const ms = now.elapsed - since.elapsed
    this.#findings.refuse('L1', now, `${due}, ${complaint} within ${ms} ms`, name)
    return true
  }

  /** What could not be written when the process went away may be missing, or not. */
  #doubtRecordsOfOutage(now: Position): void {
    const downSince = this.#outages.downSince(now)
    if (downSince === null) return
    for (const [, state] of this.#registry.entries) {
      if (state.mayHaveBeenWritingSince(downSince)) state.doubtRecord()
    }
  }
}
