export const minuteMs = 60_000

/** What one process is to measure. */
export interface Plan {
  readonly contender: string
  readonly tasks: number
  /** How many of them are due at the boundaries; the others are due later in the hour. */
  readonly dueTasks: number
  /** How many different expressions they share. */
  readonly expressions: number
  /** The minutes at which tasks are due, the first well after registration. */
  readonly boundaries: readonly number[]
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
 * Two minutes apart enough for all to start after the first, and before the second a rest around
 * a minute at which nothing is due: a scheduler that looks at each minute does so in it.
 */
export function twoBoundaries(
  first: number,
  expectedLastMs: number,
): Pick<Plan, 'boundaries' | 'rest'> {
  const second = first + (expectedLastMs > minuteMs / 3 ? 5 : 2) * minuteMs
  return {
    boundaries: [first, second],
    rest: { from: second - 1.5 * minuteMs, until: second - 0.5 * minuteMs },
  }
}

export const oneBoundary = (first: number): Pick<Plan, 'boundaries' | 'rest'> => ({
  boundaries: [first],
  rest: null,
})
