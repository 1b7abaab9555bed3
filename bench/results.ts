import type { NextResults } from './cases/cron-next.ts'
import type { ParseResults } from './cases/cron-parse.ts'
import type { DecideResults } from './cases/decide.ts'
import type { HeapResults } from './cases/heap.ts'
import type { SchedulableResults } from './cases/schedulable.ts'
import type { Machine } from './machine.ts'
import type { Noise } from './noise.ts'

/** Everything that one run found out; parts that were not asked for are absent. */
export interface Results {
  readonly date: string
  readonly quick: boolean
  readonly rounds: number
  readonly machine: Machine
  readonly noise: Noise
  readonly next?: NextResults
  readonly parse?: ParseResults
  readonly decide?: DecideResults
  readonly schedulable?: SchedulableResults
  readonly heap?: HeapResults
}
