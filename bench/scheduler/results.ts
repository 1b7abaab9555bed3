import type { Machine } from '../machine.ts'
import type { Outcome } from './measurement.ts'
import type { SqliteFloor } from './sqlite-floor.ts'

export interface ContenderResult {
  readonly contender: string
  readonly version: string
  readonly tasks: number
  readonly dueTasks: number
  readonly outcome: Outcome
  /** For those who keep state: registered again by a second process that finds it. */
  readonly restart?: Outcome
  readonly databaseBytes?: number
}

export interface Results {
  readonly date: string
  readonly machine: Machine
  readonly quick: boolean
  readonly expressions: number
  readonly sqliteFloor: SqliteFloor
  readonly entries: readonly ContenderResult[]
}

export const entryOf = (
  { entries }: Results,
  contender: string,
  tasks: number,
): ContenderResult | undefined =>
  entries.find((entry) => entry.contender === contender && entry.tasks === tasks)

export const sizesOf = ({ entries }: Results): number[] => [
  ...new Set(entries.map(({ tasks }) => tasks)),
]
