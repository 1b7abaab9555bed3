import type { Answers, Count } from '../answers/check.ts'
import type { NextResults, NextTiming } from '../cases/cron-next.ts'
import type { ZoneName } from '../cases/expressions.ts'
import type { Mode } from '../cases/loops.ts'
import { kron, type Peer, peers } from '../peers/index.ts'
import { geometricMean } from '../statistics.ts'
import { duration, grouped, ratio } from './figures.ts'
import { type Lead, leadOver } from './lead.ts'
import type { Table } from './table.ts'

const head = [
  'peer',
  'version',
  'chained',
  'scattered',
  'times as long as kron',
  'from',
  'to',
  'wrong answers',
  'wrong at clock changes',
]

export function nextTable(results: NextResults, zone: ZoneName): Table {
  const timings = results.timings.filter((timing) => timing.zone === zone)
  const measured = peers
    .map((peer) => ({ peer, lead: nextLead(results, peer.name, zone) }))
    .sort((a, b) => (a.lead?.ratio ?? Infinity) - (b.lead?.ratio ?? Infinity))
  const rows = measured.map(({ peer, lead }) => peerRow(peer, lead, timings, results, zone))
  const closest = measured[0]?.lead
  const notes = results.failures.filter((failure) => failure.includes(` in ${zone}:`))
  if (closest !== undefined) {
    notes.unshift(
      `The smallest lead over ${measured[0]!.peer.name} is ${ratio(closest.smallest)}, ` +
        `with \`${closest.smallestAt}\`.`,
    )
  }
  const title = `next in ${zone}: time for one answer (geometric mean)`
  return { title, head, rows: [kronRow(timings, results, zone), ...rows], notes }
}

export function nextLead(results: NextResults, peer: string, zone: ZoneName): Lead | undefined {
  return leadOver(results.timings.filter((timing) => timing.peer === peer && timing.zone === zone))
}

function kronRow(timings: readonly NextTiming[], results: NextResults, zone: ZoneName): string[] {
  const oursWrong = (count: (answers: Answers) => Count): string => {
    const counts = results.answers.filter((answers) => answers.zone === zone).map(count)
    const worst = Math.max(0, ...counts.map(({ oursWrong }) => oursWrong))
    const asked = Math.max(0, ...counts.map(({ asked }) => asked))
    return asked === 0 ? '-' : `${worst} of ${grouped(asked)}`
  }
  return [
    kron.name,
    kron.version,
    meanOf(timings, kron.name, 'chained'),
    meanOf(timings, kron.name, 'scattered'),
    '1x',
    '',
    '',
    oursWrong(({ anywhere }) => anywhere),
    oursWrong(({ atClockChanges }) => atClockChanges),
  ]
}

function peerRow(
  peer: Peer,
  lead: Lead | undefined,
  timings: readonly NextTiming[],
  results: NextResults,
  zone: ZoneName,
): string[] {
  const name = peer.zoneSupport === 'process' ? `${peer.name} (process zone only)` : peer.name
  const nothing = 'can not be asked'
  if (peer.zoneSupport === 'none' || lead === undefined) {
    return [peer.name, peer.version, '-', '-', nothing, '', '', '-', '-']
  }
  const answers = results.answers.find((entry) => entry.peer === peer.name && entry.zone === zone)
  return [
    name,
    peer.version,
    meanOf(timings, peer.name, 'chained'),
    meanOf(timings, peer.name, 'scattered'),
    ratio(lead.ratio),
    ratio(lead.smallest),
    ratio(lead.largest),
    wrongOf(answers?.anywhere),
    wrongOf(answers?.atClockChanges),
  ]
}

function meanOf(timings: readonly NextTiming[], peer: string, mode: Mode): string {
  const chosen = timings.filter((timing) => timing.peer === peer && timing.mode === mode)
  return duration(geometricMean(chosen.map(({ bestNs }) => bestNs)))
}

function wrongOf(count: Count | undefined): string {
  if (count === undefined || count.asked === 0) return '-'
  return `${grouped(count.wrong)} of ${grouped(count.asked)}`
}
