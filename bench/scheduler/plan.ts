export const minuteMs = 60_000

/** What one process is to measure. */
export interface Plan {
  readonly contender: string
  readonly tasks: number
  /** How many of them are due at the boundary; the others are due later in the hour. */
  readonly dueTasks: number
  /** How many different expressions they share. */
  readonly expressions: number
  /** The minute at which tasks are due, well after registration. */
  readonly boundary: number
  /** From when to when the processor time at rest is taken; null: not at all. */
  readonly rest: { readonly from: number; readonly until: number } | null
  /** Registers what an earlier process left in the folder, and measures that only. */
  readonly isRestart: boolean
  readonly folder: string
}

/** The first full minute that is at least so far away. */
export const boundaryAfter = (now: number, aheadMs: number): number =>
  Math.ceil((now + aheadMs) / minuteMs) * minuteMs

/**
 * One boundary, and after it a rest around a minute at which nothing is due: a scheduler that looks
 * at each minute does so in it.
 */
export function boundaryAndRest(
  boundary: number,
  expectedLastMs: number,
): Pick<Plan, 'boundary' | 'rest'> {
  const restFrom = boundary + (expectedLastMs > minuteMs / 3 ? 2.5 : 0.5) * minuteMs
  return { boundary, rest: { from: restFrom, until: restFrom + minuteMs } }
}

export const boundaryAlone = (boundary: number): Pick<Plan, 'boundary' | 'rest'> => ({
  boundary,
  rest: null,
})
