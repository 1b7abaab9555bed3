import { uniformLabel } from '../cases/decide.ts'
import { peers } from '../peers/index.ts'
import type { Results } from '../results.ts'
import { duration, rate, ratio } from './figures.ts'
import { nextLead } from './next-table.ts'
import { parseLead } from './parse-table.ts'

export interface Bar {
  readonly name: string
  readonly outcome: 'met' | 'not met' | 'not measured'
  readonly figure: string
}

interface Candidate {
  readonly name: string
  readonly ratio: number
}

export function barsOf(results: Results): Bar[] {
  return [
    atLeast('next in UTC: at least 10x the fastest peer', 10, fastestInUtc(results)),
    atLeast('next in America/New_York: at least 300x croner', 300, cronerInNewYork(results)),
    atLeast('parse: at least the fastest correct peer', 1, fastestCorrectParser(results)),
    decisions(results, 'UTC'),
    decisions(results, 'America/New_York'),
    slowestCold(results),
  ]
}

function atLeast(name: string, wanted: number, found: Candidate | undefined): Bar {
  if (found === undefined) return { name, outcome: 'not measured', figure: '-' }
  const outcome = found.ratio >= wanted ? 'met' : 'not met'
  return { name, outcome, figure: `${ratio(found.ratio)} ${found.name}` }
}

/** Right or wrong, with or without zones: the fastest of all. */
function fastestInUtc({ next }: Results): Candidate | undefined {
  return smallest((peer) => next && nextLead(next, peer, 'UTC')?.ratio)
}

function cronerInNewYork({ next }: Results): Candidate | undefined {
  const lead = next && nextLead(next, 'croner', 'America/New_York')
  return lead && { name: 'croner', ratio: lead.ratio }
}

function fastestCorrectParser({ parse }: Results): Candidate | undefined {
  return smallest((peer) =>
    parse?.correct.includes(peer) ? parseLead(parse, peer, 'parse')?.ratio : undefined,
  )
}

function decisions({ decide }: Results, zone: string): Bar {
  const name = `decide, uniform in ${zone}: at least 1,000,000/s`
  const timing = decide?.timings.find(
    (entry) => entry.label === uniformLabel && entry.zone === zone,
  )
  if (timing === undefined) {
    return { name, outcome: 'not measured', figure: decide?.missing ?? '-' }
  }
  return { name, outcome: timing.bestNs <= 1000 ? 'met' : 'not met', figure: rate(timing.bestNs) }
}

function slowestCold({ schedulable }: Results): Bar {
  const name = 'schedulable, cold: each in under 1 ms'
  if (schedulable === undefined) return { name, outcome: 'not measured', figure: '-' }
  const slowest = Math.max(...schedulable.timings.map(({ coldNs }) => coldNs))
  return { name, outcome: slowest < 1e6 ? 'met' : 'not met', figure: duration(slowest) }
}

function smallest(ratioOf: (peer: string) => number | undefined): Candidate | undefined {
  let found: Candidate | undefined
  for (const { name } of peers) {
    const value = ratioOf(name)
    if (value !== undefined && value < (found?.ratio ?? Infinity)) found = { name, ratio: value }
  }
  return found
}
