/** A registration, as far as it can be observed. */
export interface TraceTask {
  readonly name: string
  readonly expression: string
  readonly retryDelayMs: number
}

/** One observable action; `at` is the wall clock in epoch milliseconds. */
export type TraceEvent =
  | InitializeStart
  | InitializeSuccess
  | InitializeFailure
  | StopStart
  | StopEnd
  | RunStart
  | RunSuccess
  | RunFailure
  | Crash
  | ClockStep

interface Action<Name extends string> {
  readonly event: Name
  readonly at: number
}

/** `call` pairs the start of a call with its end; calls may overlap. */
interface Call<Name extends string> extends Action<Name> {
  readonly call: number
}

interface Run<Name extends string> extends Action<Name> {
  readonly task: string
}

export interface InitializeStart extends Call<'IS'> {
  readonly tasks: readonly TraceTask[]
  /** Whether the list is one that may be registered. */
  readonly valid: boolean
}

export interface InitializeSuccess extends Call<'IEs'> {}

export interface InitializeFailure extends Call<'IEf'> {
  /** The storage failed, so a valid list may have been refused, or kept nevertheless. */
  readonly excused?: true
}

export interface StopStart extends Call<'SS'> {}
export interface StopEnd extends Call<'SE'> {}
export interface RunStart extends Run<'RS'> {}
export interface RunSuccess extends Run<'REs'> {}
export interface RunFailure extends Run<'REf'> {}

/** The process died, or another one took over from it: for the schedule that is the same. */
export interface Crash extends Action<'Crash'> {
  /**
   * Tasks of which a start or an end was being recorded when the process died: nobody can tell
   * whether the next process finds the record. They may start again as orphans, but need not.
   */
  readonly uncertain?: readonly string[]
  /**
   * Tasks that go on running in a process that was taken over. They are no orphans: nothing is owed
   * for these runs, and nobody will hear how they end.
   */
  readonly elsewhere?: readonly string[]
}

/** The wall clock was set from `at` to `to`, forward or back. */
export interface ClockStep extends Action<'ClockStep'> {
  readonly to: number
}

export interface TraceOptions {
  /** IANA name (default UTC). */
  readonly timeZone?: string
  /** How long an obligation may wait (default 60,000), */
  readonly lagMs?: number
  /** and how much longer for each task of the list (default 6). */
  readonly lagPerTaskMs?: number
  /** When the observation ended, by the wall clock (default the last event). */
  readonly endAt?: number
  /** Spans of wall-clock time, ends included, in which the storage failed. */
  readonly storageDown?: readonly (readonly [from: number, to: number])[]
  /** Tasks whose callback calls stop() itself, which cannot wait for them then. */
  readonly mayOutliveStop?: readonly string[]
}
