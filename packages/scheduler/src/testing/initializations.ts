import type { Moment, Position } from './moment.js'
import type { Patience } from './patience.js'
import type { Findings } from './report.js'
import type { InitializeFailure, InitializeStart, TraceTask } from './trace.js'

/** A call of initialize that has not ended. */
export interface OpenInitialization {
  readonly call: number
  readonly tasks: readonly TraceTask[]
  readonly valid: boolean
  readonly since: Moment
  /** Another was open or a list was Active when it was called, so it changes nothing. */
  readonly cameTooLate: boolean
  /** S5: something that lets it fail has been there while it was open. */
  mayFail: boolean
  /** A stop was called meanwhile, and has ended. */
  cut: 'no' | 'stopping' | 'stopped'
  /** What the wall clock has gone through meanwhile; the last one is under way. */
  readonly shown: { readonly from: number; to: number }[]
}

/** The calls of initialize: S4, S5, S6 and L2. */
export class Initializations {
  readonly #open = new Map<number, OpenInitialization>()
  readonly #findings: Findings
  readonly #patience: Patience
  /** Lists that were being registered, or failed to, without saying whether that was recorded. */
  #unsettled: (readonly TraceTask[])[] = []
  #succeededSinceStop = false

  constructor(findings: Findings, patience: Patience) {
    this.#findings = findings
    this.#patience = patience
  }

  get calls(): Iterable<number> {
    return this.#open.keys()
  }

  start(event: InitializeStart, now: Position, active: boolean, stopping: boolean): void {
    const { call, tasks, valid } = event
    if (this.#open.has(call)) {
      this.#findings.refuse('malformed', now, `initialize call ${call} is open already`)
    }
    if (valid && new Set(tasks.map(({ name }) => name)).size < tasks.length) {
      this.#findings.refuse('malformed', now, 'a list with a name twice is never a valid one')
    }
    for (const other of this.#open.values()) other.mayFail = true
    const cameTooLate = active || this.#open.size > 0
    this.#open.set(call, {
      call,
      tasks,
      valid,
      since: now,
      cameTooLate,
      // T2: S6 wants it to fail while a list is Active; and while a stop is open.
      mayFail: cameTooLate || stopping,
      cut: 'no',
      shown: [{ from: now.wall, to: now.wall }],
    })
  }

  /** Null when there is none to succeed. */
  succeed(call: number, now: Position): OpenInitialization | null {
    const initialization = this.#end(call, now)
    if (initialization === null) return null
    if (!initialization.valid) {
      this.#findings.refuse('S4', now, 'an invalid list was registered')
    }
    // T1: at most one success between two ends of a stop or crashes, not the other way round.
    if (this.#succeededSinceStop) {
      this.#findings.refuse(
        'S6',
        now,
        'initialize succeeded twice without a stop or a crash between',
      )
    }
    if (initialization.cut !== 'stopped') this.#succeededSinceStop = true
    return initialization
  }

  fail({ call, excused }: InitializeFailure, now: Position): void {
    const initialization = this.#end(call, now)
    if (initialization === null || !initialization.valid) return
    if (!initialization.mayFail && !excused) {
      const message = 'a valid list was refused, with nothing Active, initializing or stopping'
      this.#findings.refuse('S5', now, message)
    }
    if (excused || !initialization.cameTooLate) this.#unsettled.push(initialization.tasks)
  }

  stopStarted(): void {
    for (const initialization of this.#open.values()) {
      initialization.mayFail = true
      if (initialization.cut === 'no') initialization.cut = 'stopping'
    }
  }

  stopEnded(): void {
    this.#succeededSinceStop = false
    for (const initialization of this.#open.values()) {
      if (initialization.cut === 'stopping') initialization.cut = 'stopped'
    }
  }

  stepped(before: Moment, landing: Moment): void {
    for (const { shown } of this.#open.values()) {
      shown.at(-1)!.to = before.wall
      // What a step forward skips is missed by who looked at the clock before it.
      if (landing.wall > before.wall) shown.push({ from: before.wall, to: landing.wall })
      shown.push({ from: landing.wall, to: landing.wall })
    }
  }

  crashed(now: Position): void {
    for (const initialization of this.#open.values()) {
      this.#checkLag(initialization, now)
      const { valid, cameTooLate, tasks } = initialization
      if (valid && !cameTooLate) this.#unsettled.push(tasks)
    }
    this.#open.clear()
    this.#succeededSinceStop = false
  }

  finish(end: Position): void {
    for (const initialization of this.#open.values()) {
      if (!this.#checkLag(initialization, end)) {
        this.#findings.leaveOpen('L2', initialization.since)
      }
    }
  }

  /** Each list since the last success that may be on record nevertheless: expressions by name. */
  takeUnsettled(): ReadonlyMap<string, string>[] {
    const lists = this.#unsettled.map(
      (tasks) => new Map(tasks.map(({ name, expression }) => [name, expression])),
    )
    this.#unsettled = []
    return lists
  }

  #end(call: number, now: Position): OpenInitialization | null {
    const initialization = this.#open.get(call)
    if (initialization === undefined) {
      this.#findings.refuse('malformed', now, `no initialize call ${call} is open`)
      return null
    }
    this.#open.delete(call)
    initialization.shown.at(-1)!.to = now.wall
    this.#checkLag(initialization, now)
    return initialization
  }

  #checkLag({ since, tasks }: OpenInitialization, now: Position): boolean {
    const late = this.#patience.isLateForStorage(since, now, tasks.length)
    if (late) {
      const ms = now.elapsed - since.elapsed
      this.#findings.refuse('L2', now, `initialize had not ended ${ms} ms after it was called`)
    }
    return late
  }
}
