import type { Format } from '../option-reader.ts'
import { grouped, percent, ratio } from '../report/figures.ts'
import { asMarkdown, asText, type Table } from '../report/table.ts'
import { milliseconds, seconds } from '../scheduler/report/figures.ts'
import { limitName } from './contenders/index.ts'
import type { ContenderResult, Results } from './results.ts'

const head = [
  'who',
  'version',
  'p50',
  'p99',
  'last',
  'runs a second',
  `of ${limitName}`,
  'all recorded',
  'processor',
  'stored in',
  'last, of all rounds',
]

export function renderServer(results: Results, format: Format): string {
  if (format === 'json') return `${JSON.stringify(results)}\n`
  const asBlock = format === 'markdown' ? asMarkdown : asText
  return `${[preface(results), asBlock(tableOf(results))].join('\n\n')}\n`
}

function preface({ date, machine, quick, noise }: Results): string {
  return [
    `${date}${quick ? ', quick run, a look and not a result' : ''}. Node ${machine.node}, ` +
      `${machine.cores} cores of ${machine.processor}.`,
    `Noise: a loop that does the same each time took ${percent(noise.medianOverBest)} longer ` +
      `than at best in the median, ${percent(noise.ninetiethOverBest)} in one of ten.`,
  ].join('\n')
}

function tableOf({ entries }: Results): Table {
  const limit = entries.find(({ name }) => name === limitName)?.best ?? null
  const count = entries[0]?.count ?? 0
  return {
    title: `${grouped(count)} requests due in one second, the best round of each`,
    head,
    rows: entries.map((entry) => rowOf(entry, limit?.runsPerSecond ?? Number.NaN)),
    notes: entries.flatMap(notesOf),
  }
}

function rowOf({ name, version, best, rounds, failure }: ContenderResult, limit: number): string[] {
  if (best === null) return [name, version, failure ?? '-', ...head.slice(3).map(() => '-')]
  return [
    name,
    version,
    milliseconds(best.p50),
    milliseconds(best.p99),
    milliseconds(best.lastLatenessMs),
    grouped(best.runsPerSecond),
    ratio(best.runsPerSecond / limit),
    best.recordedMs === null ? '-' : milliseconds(best.recordedMs),
    seconds(best.processorMs),
    seconds(best.prepareMs),
    rounds.map(({ lastLatenessMs }) => grouped(lastLatenessMs)).join(' '),
  ]
}

/** Requests that are missing, or that nobody asked for, or that came before their time. */
function notesOf({ name, count, rounds, failure }: ContenderResult): string[] {
  const notes: string[] = []
  for (const { arrived, requests, firstMs } of rounds) {
    if (arrived < count) notes.push(`${name} sent ${grouped(arrived)} of ${grouped(count)}.`)
    if (requests > arrived) notes.push(`${name} sent ${grouped(requests - arrived)} twice.`)
    if (firstMs < 0) notes.push(`${name} sent the first ${milliseconds(-firstMs)} early.`)
  }
  if (failure !== null && rounds.length > 0) notes.push(`${name} failed later: ${failure}.`)
  return notes
}
