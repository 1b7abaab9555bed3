import { geometricMean } from '../statistics.ts'

interface Compared {
  readonly bestNs: number
  readonly oursNs: number
  readonly expression: string
}

/** How many times as long as Kron a peer takes, over all that it can do. */
export interface Lead {
  readonly ratio: number
  readonly smallest: number
  readonly largest: number
  /** The expression with which the lead is smallest. */
  readonly smallestAt: string
}

export function leadOver(timings: readonly Compared[]): Lead | undefined {
  if (timings.length === 0) return undefined
  const ratios = timings.map(({ bestNs, oursNs }) => bestNs / oursNs)
  const smallest = Math.min(...ratios)
  return {
    ratio: geometricMean(ratios),
    smallest,
    largest: Math.max(...ratios),
    smallestAt: timings[ratios.indexOf(smallest)]!.expression,
  }
}
