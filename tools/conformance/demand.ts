import { type NamedTest, namedTestsIn } from './named-test.js'
import { cellsOf } from './table.js'

/** How a demand stands: met as it is written, answered otherwise on purpose, or not met yet. */
export type Standing = 'kept' | 'deviates' | 'open'

export interface Demand {
  readonly line: number
  readonly id: string
  readonly text: string
  readonly level: string
  readonly standing: Standing
  /** Files and folders, without their backticks. */
  readonly keptIn: readonly string[]
  readonly tests: readonly NamedTest[]
}

export const levels = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY']

/** `| S1 | demand | level | kept in | test |`; anything else is no demand. */
export function demandOf(text: string, line: number): Demand | null {
  const cells = cellsOf(text)
  const [id, demand, level, keptIn, tests] = cells
  if (cells.length !== 5 || id === undefined || !/^[A-Z]\d+$/.test(id)) return null
  const { word, standing } = standingOf(level!)
  return {
    line,
    id,
    text: demand!,
    level: word,
    standing,
    keptIn: [...keptIn!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
    tests: namedTestsIn(tests!),
  }
}

function standingOf(level: string): { readonly word: string; readonly standing: Standing } {
  const marked = /^(.*) \((deviates|open)\)$/.exec(level)
  if (marked === null) return { word: level, standing: 'kept' }
  return { word: marked[1]!, standing: marked[2] as Standing }
}
