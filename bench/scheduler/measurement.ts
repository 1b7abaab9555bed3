/** Milliseconds after the minute, of those tasks that have started. */
export interface Lateness {
  readonly started: number
  readonly firstMs: number
  readonly medianMs: number
  readonly lastMs: number
}

export interface Registered {
  readonly registerMs: number
  readonly registerProcessorMs: number
  /** What everybody else took of one processor meanwhile. */
  readonly othersShare: number
  /** Heap and memory outside of it, collected, that registering added. */
  readonly addedBytes: number
  /** The same with the names, expressions and callbacks that were there before. */
  readonly wholeBytes: number
  readonly residentBytes: number
}

export interface Measured extends Registered {
  readonly lateness: Lateness
  /** As `addedBytes`, when all have run: what a scheduler remembers of runs is in it. */
  readonly addedAfterRunsBytes: number
  /** Calls beyond one for each task. */
  readonly surplusCalls: number
  /** Processor time from just before the boundary until the rest. */
  readonly boundaryProcessorMs: number | null
  /** Share of one processor; null: not measured, or callbacks were still being started. */
  readonly restShare: number | null
}

/** What the process reports, in this order. */
export type Report =
  | { readonly kind: 'registering' }
  | ({ readonly kind: 'registered' } & Registered)
  | { readonly kind: 'too late'; readonly registerMs: number }
  | ({ readonly kind: 'measured' } & Measured)

export type Outcome =
  | { readonly kind: 'measured'; readonly figures: Measured }
  | { readonly kind: 'registered'; readonly figures: Registered }
  | { readonly kind: 'too late'; readonly registerMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
