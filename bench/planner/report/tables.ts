import type { Table } from '../../report/table.ts'
import type { FleetResult, Results } from '../results.ts'
import { familiesOf, familyScore, score } from '../score.ts'

const shown = ['doubling', 'halve-grow', 'ucb', 'rules', 'oracle']

/** Delays by family, at equal calls. */
export function familyTable({ compared, seeds }: Results): Table {
  const rows = familiesOf(compared).map((family) => [
    family,
    ...shown.map((policy) => withUncertainty(compared, policy, family)),
  ])
  const overall = ['all families', ...shown.map((policy) => ratio(score(compared, policy)))]
  return {
    title: 'Mean delay until a change is seen, at equal calls; the fixed schedule is 1',
    head: ['family', ...shown],
    rows: [...rows, overall],
    notes: [
      `${seeds} seeds of each world; ± is half of the interval that has 95 % of such runs.`,
      'A star marks calls that could not be made equal: the limit of the target is below them.',
    ],
  }
}

function withUncertainty(compared: Results['compared'], policy: string, family: string): string {
  const own = compared.filter((one) => one.policy === policy && one.family === family)
  const value = familyScore(compared, policy, family)
  if (!Number.isFinite(value)) return ''
  const share =
    Math.sqrt(own.reduce((sum, { uncertainty }) => sum + uncertainty ** 2, 0)) / own.length
  const star = own.some(({ calls }) => Math.abs(calls - 1) > 0.05) ? '*' : ''
  return `${ratio(value)} ±${ratio(value * share)}${star}`
}

/** All worlds together, with outages and limits. */
export function fleetTable({ fleet }: Results): Table {
  const fixed = fleet.find(({ policy }) => policy === 'fixed')!
  const beside = (of: (figures: FleetResult) => number, own: FleetResult): string =>
    ratio(of(own) / of(fixed))
  return {
    title: 'All worlds as one fleet; the fixed schedule is 1',
    head: [
      'policy',
      'calls',
      'delay',
      'stale',
      'detection',
      'recovery p50',
      'recovery p95',
      'calls while down',
      '429',
      'violations',
    ],
    rows: fleet.map((own) => [
      own.policy,
      beside(({ calls }) => calls, own),
      beside(({ delayMs }) => delayMs, own),
      beside(({ staleShare }) => staleShare, own),
      beside(({ detectionMs }) => detectionMs, own),
      beside(({ recoveryP50Ms }) => recoveryP50Ms, own),
      beside(({ recoveryP95Ms }) => recoveryP95Ms, own),
      beside(({ callsWhileDown }) => callsWhileDown, own),
      beside(({ tooMany }) => tooMany, own),
      String(own.violations),
    ]),
    notes: [
      'Delay: of all changes of all worlds. `pooled` shares one budget among all worlds.',
      'Violations of minimum, maximum, calendar and quota are counted, not compared.',
    ],
  }
}

const ratio = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '')
