import type { Table } from '../../report/table.ts'
import type { FleetResult, Results } from '../results.ts'
import { familyScore } from '../score.ts'

interface Goal {
  readonly text: string
  readonly most: number
  readonly reached: number
  /** What the oracle reaches, where there is one. */
  readonly oracle: number | null
}

/** What the learner is meant to reach. */
export function goalsOf(results: Results): Goal[] {
  const { compared, fleet } = results
  const family = (text: string, name: string, most: number): Goal => ({
    text,
    most,
    reached: familyScore(compared, 'rules', name),
    oracle: familyScore(compared, 'oracle', name),
  })
  const rules = fleetOf(results, 'rules')
  const fixed = fleetOf(results, 'fixed')
  const doubling = fleetOf(results, 'doubling')
  const pooled = fleetOf(results, 'pooled')
  return [
    family('hourly publishers: delay', 'hourly publishers', 0.3),
    family('bursty: delay', 'bursty', 0.6),
    family('daily publishers: delay', 'daily publishers', 0.75),
    family('memoryless: delay', 'memoryless', 1.05),
    plain('mixed fleet, one budget: delay', 0.65, pooled.delayMs / fixed.delayMs),
    plain('429 answers', 0.1, rules.tooMany / fixed.tooMany),
    plain('recovery, median', 0.4, rules.recoveryP50Ms / fixed.recoveryP50Ms),
    plain('recovery, p95, beside doubling', 1, rules.recoveryP95Ms / doubling.recoveryP95Ms),
    plain('violations', 0, violationsOf(fleet)),
  ]
}

const plain = (text: string, most: number, reached: number): Goal => ({
  text,
  most,
  reached,
  oracle: null,
})

const fleetOf = ({ fleet }: Results, policy: string): FleetResult =>
  fleet.find((one) => one.policy === policy)!

const violationsOf = (fleet: readonly FleetResult[]): number =>
  fleet.reduce((sum, { violations }) => sum + violations, 0)

export function goalTable(results: Results): Table {
  return {
    title: 'What the learner (`rules`) is meant to reach',
    head: ['figure, beside the fixed schedule', 'at most', 'reached', 'oracle', ''],
    rows: goalsOf(results).map(({ text, most, reached, oracle }) => [
      text,
      String(most),
      shown(reached),
      oracle === null ? '' : shown(oracle),
      reached <= most ? 'met' : 'missed',
    ]),
    notes: [],
  }
}

const shown = (value: number): string => (Number.isFinite(value) ? value.toFixed(3) : 'none')
