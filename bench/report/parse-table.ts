import type { ParseMode, ParseResults } from '../cases/cron-parse.ts'
import { kron, type Peer, peers } from '../peers/index.ts'
import { geometricMean } from '../statistics.ts'
import { duration, rate, ratio } from './figures.ts'
import { type Lead, leadOver } from './lead.ts'
import type { Table } from './table.ts'

const head = [
  'peer',
  'version',
  'parse',
  'a second',
  'times as long as kron',
  'parse and first answer',
  'times as long as kron',
  'right in UTC',
]

export function parseTable(results: ParseResults): Table {
  const rows = [kron, ...peers]
    .map((peer) => ({ peer, order: parseLead(results, peer.name, 'parse')?.ratio ?? Infinity }))
    .sort((a, b) => orderOf(a.peer, a.order) - orderOf(b.peer, b.order))
    .map(({ peer }) => row(results, peer))
  const title = 'parse: time for one expression (geometric mean)'
  return { title, head, rows, notes: [...new Set(results.failures)] }
}

export function parseLead(results: ParseResults, peer: string, mode: ParseMode): Lead | undefined {
  return leadOver(results.timings.filter((timing) => timing.peer === peer && timing.mode === mode))
}

const orderOf = (peer: Peer, order: number): number => (peer === kron ? 0 : order)

function row(results: ParseResults, peer: Peer): string[] {
  const parse = meanOf(results, peer.name, 'parse')
  const first = meanOf(results, peer.name, 'first answer')
  return [
    peer.name,
    peer.version,
    duration(parse),
    rate(parse),
    ratio(parseLead(results, peer.name, 'parse')?.ratio ?? Number.NaN),
    duration(first),
    ratio(parseLead(results, peer.name, 'first answer')?.ratio ?? Number.NaN),
    rightness(results, peer),
  ]
}

function rightness(results: ParseResults, peer: Peer): string {
  if (peer === kron) return 'yes'
  if (peer.schedule === undefined) return 'can not be asked'
  return results.correct.includes(peer.name) ? 'yes' : 'no'
}

function meanOf(results: ParseResults, peer: string, mode: ParseMode): number {
  const chosen = results.timings.filter((timing) => timing.peer === peer && timing.mode === mode)
  return geometricMean(chosen.map(({ bestNs }) => bestNs))
}
