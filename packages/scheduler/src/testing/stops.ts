import { later, type Moment, type Position } from './moment.js'
import type { Patience } from './patience.js'
import type { Findings } from './report.js'

interface OpenStop {
  readonly since: Moment
  /** Initializations that were open when it was called. */
  readonly waitsFor: Set<number>
  /** When first nothing ran any more and nothing initialized. */
  quietSince: Moment | null
}

/** The calls of stop: L3, and which of them are open. */
export class Stops {
  readonly #open = new Map<number, OpenStop>()
  readonly #findings: Findings
  readonly #patience: Patience

  constructor(findings: Findings, patience: Patience) {
    this.#findings = findings
    this.#patience = patience
  }

  get someOpen(): boolean {
    return this.#open.size > 0
  }

  start(call: number, now: Position, initializing: Iterable<number>, quiescent: boolean): void {
    if (this.#open.has(call)) {
      this.#findings.refuse('malformed', now, `stop call ${call} is open already`)
    }
    this.#open.set(call, { since: now, waitsFor: new Set(initializing), quietSince: null })
    if (quiescent) this.quiescent(now)
  }

  initializationEnded(call: number, now: Moment, quiescent: boolean): void {
    for (const stop of this.#open.values()) stop.waitsFor.delete(call)
    if (quiescent) this.quiescent(now)
  }

  /** T4: the first quiescent instant after the call, also when something ran at the call. */
  quiescent(now: Moment): void {
    for (const stop of this.#open.values()) {
      if (stop.waitsFor.size === 0) stop.quietSince ??= later(now, stop.since)
    }
  }

  /** False when there is none to end. */
  end(call: number, now: Position, tasks: number): boolean {
    const stop = this.#open.get(call)
    if (stop === undefined) {
      this.#findings.refuse('malformed', now, `no stop call ${call} is open`)
      return false
    }
    this.#open.delete(call)
    this.#checkLag(stop, now, tasks)
    return true
  }

  crashed(now: Position, tasks: number): void {
    for (const stop of this.#open.values()) this.#checkLag(stop, now, tasks)
    this.#open.clear()
  }

  finish(end: Position, tasks: number): void {
    for (const stop of this.#open.values()) {
      if (stop.quietSince === null || this.#checkLag(stop, end, tasks)) continue
      this.#findings.leaveOpen('L3', stop.quietSince)
    }
  }

  #checkLag({ quietSince }: OpenStop, now: Position, tasks: number): boolean {
    if (quietSince === null || !this.#patience.isLate(quietSince, now, tasks)) return false
    const ms = now.elapsed - quietSince.elapsed
    this.#findings.refuse('L3', now, `stop had not ended ${ms} ms after the last run had`)
    return true
  }
}
