import { readFileSync, writeFileSync } from 'node:fs'
import { mutationPage } from './mutation-page.ts'
import { type Score, scoreOf } from './score.ts'
import type { Slice } from './slices.ts'

export interface DatedScore extends Score {
  readonly date: string
  /** One function in so many was mutated. */
  readonly oneIn: number
}

export interface SliceRecord {
  /** With the tests of before there were mutation runs of all hosts; null where that was not measured. */
  readonly before: DatedScore | null
  /** The latest. */
  readonly after: DatedScore
}

export type Records = Readonly<Record<string, SliceRecord>>

export const recordsFile = 'tools/mutation/records.json'
export const pageFile = 'tools/mutation/README.md'

export const readRecords = (): Records => JSON.parse(readFileSync(recordsFile, 'utf8'))

/** Keeps the score of the latest run of a slice, and writes the page again. */
export function record(slice: Slice, date: string, oneIn: number): void {
  const records = readRecords()
  const after = { date, oneIn, ...scoreOf(slice) }
  const before = records[slice.name]?.before ?? null
  const changed = { ...records, [slice.name]: { before, after } }
  writeFileSync(recordsFile, `${JSON.stringify(changed, null, 2)}\n`)
  writeFileSync(pageFile, mutationPage(changed))
}
