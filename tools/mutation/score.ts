import { readFileSync } from 'node:fs'
import { reportOf, type Slice } from './slices.ts'

export interface Score {
  /** Without those that don't compile or that a comment says to ignore. */
  readonly mutants: number
  /** By a failing test, or since it never ended. */
  readonly found: number
  readonly survived: number
  /** No test comes there at all. */
  readonly unreached: number
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { status: string }[] }>>
}

/** Of the latest run of a slice. */
export function scoreOf(slice: Slice): Score {
  const report: Report = JSON.parse(readFileSync(`${reportOf(slice)}.json`, 'utf8'))
  const ofSlice = Object.values(report.files).flatMap((file) => file.mutants)
  const count = (...statuses: string[]): number =>
    ofSlice.filter(({ status }) => statuses.includes(status)).length
  const found = count('Killed', 'Timeout')
  const survived = count('Survived')
  const unreached = count('NoCoverage')
  const mutants = found + survived + unreached
  return { mutants, found, survived, unreached }
}

/** Of all mutants, those that were found. */
export const percentFound = ({ found, mutants }: Score): string =>
  `${((100 * found) / mutants).toFixed(1)} %`
