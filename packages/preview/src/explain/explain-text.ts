import { formatDuration, maxAttempts } from '@kron/core'
import { displayWidth, padEnd, percent, type Style, table } from '@kron/runtime'
import { signedDuration } from '../local-time/index.js'
import type { Notation } from '../notation.js'
import type { ExplainedSample, Explanation, Moment } from './explanation.js'

/** Samples that are listed one by one. */
const maxSamplesShown = 10

type Row = readonly [label: string, value: string]

export function explainText(explanation: Explanation, notation: Notation, style: Style): string[] {
  const section = (title: string, rows: readonly string[]): string[] => [
    '',
    style('strong', title),
    ...rows.map((row) => `  ${row}`),
  ]
  return [
    ...(explanation.job === null ? [] : [style('strong', explanation.job), '']),
    ...aligned(scheduleRows(explanation), style),
    ...section('Period', aligned(periodRows(explanation), style)),
    ...section('Seed', aligned(seedRows(explanation), style)),
    ...section('Samples', sampleLines(explanation, style)),
    ...section('Result', resultLines(explanation, notation, style)),
  ]
}

function aligned(rows: readonly Row[], style: Style): string[] {
  const width = Math.max(...rows.map(([label]) => displayWidth(label)))
  return rows.map(([label, value]) => `${style('faint', padEnd(label, width))}  ${value}`)
}

function scheduleRows({ schedule, words, fields, timezone, tzdata, policy }: Explanation): Row[] {
  const parts = fields.map(({ field, text, words: meaning }) => ({ field, text, meaning }))
  const width = Math.max(0, ...parts.map(({ text }) => text.length))
  return [
    ['schedule', schedule],
    ['in words', words],
    ...parts.map(
      ({ field, text, meaning }): Row => [`  ${field}`, `${padEnd(text, width)}  ${meaning}`],
    ),
    ['zone', `${timezone} (tzdata ${tzdata})`],
    ['policy', policyText(policy)],
  ]
}

function policyText({ concurrency, deadline, suspend, first }: Explanation['policy']): string {
  const late =
    deadline === '0s' ? 'only in the chosen second' : `up to ${deadline} after the chosen time`
  const suspended = suspend ? '; suspended: nothing runs' : ''
  const atFirst = first === 'run' ? '; the current period too when it is first seen' : ''
  return `concurrency ${concurrency}; starts ${late}${atFirst}${suspended}`
}

function periodRows({ nominal, window, timezone }: Explanation): Row[] {
  const show = (moment: Moment) => momentText(moment, timezone)
  if (window.seconds === 0)
    return [
      ['nominal', show(nominal)],
      ['window', 'none'],
    ]
  return [
    ['nominal', show(nominal)],
    ['window', `${window.duration} ${window.mode} the nominal time, ${window.seconds + 1} seconds`],
    ['  start', show(window.start)],
    ['  end', show(window.end)],
  ]
}

function seedRows({ seed }: Explanation): Row[] {
  const shared = { stable: 'a period', daily: 'a local day', weekly: 'a local week' }
  const each = shared[seed.strategy as keyof typeof shared]
  return [
    ['strategy', `${seed.strategy}: one seed for ${each}`],
    ['input', JSON.stringify(seed.input)],
    ['sha-256', seed.sha256],
    ['state', `0x${seed.state}, the first 8 bytes, start SplitMix64`],
  ]
}

function sampleLines(explanation: Explanation, style: Style): string[] {
  const { samples, distribution, window, constraints } = explanation
  const clauses = [
    ...constraints.only.map((text) => `only ${text}`),
    ...constraints.avoid.map((text) => `avoid ${text}`),
  ]
  const limited =
    clauses.length === 0
      ? 'no constraints'
      : `${clauses.join(', ')}: ${percent(constraints.acceptedShare)} of draws are allowed`
  if (samples.length === 0) return [`none drawn, the window is a single second; ${limited}`]
  const params = Object.entries(distribution.params).map(([key, value]) =>
    key === 'sigma' ? `sigma=${formatDuration(value as number)}` : `${key}=${value}`,
  )
  const isExact = distribution.params['sample'] === 'exact'
  const rule = isExact
    ? `u picks one of the allowed seconds, weighted by ${distribution.name}`
    : `x = ${distribution.name}(u), offset = floor(x * ${window.seconds + 1})`
  const named = params.length === 0 ? rule : `${rule}, ${params.join(', ')}`
  return [`${named}; ${limited}`, ...sampleTable(samples, style)]
}

function sampleTable(samples: readonly ExplainedSample[], style: Style): string[] {
  const shown =
    samples.length <= maxSamplesShown
      ? samples
      : [...samples.slice(0, maxSamplesShown - 1), samples.at(-1)!]
  const lines = table(
    [
      { title: '#', align: 'right' },
      { title: 'u' },
      { title: 'x' },
      { title: 'offset', align: 'right' },
      { title: 'candidate (local)' },
      { title: 'verdict' },
    ],
    shown.map((sample) => [
      String(sample.attempt),
      sample.u.toFixed(10),
      sample.x === null ? '-' : sample.x.toFixed(10),
      sample.offsetSeconds === null ? '-' : `${sample.offsetSeconds}s`,
      sample.candidate === null ? '-' : spaced(sample.candidate.local),
      sample.rejectedBy === null
        ? style('good', 'accepted')
        : style('warning', `rejected by ${sample.rejectedBy}`),
    ]),
    (text) => style('faint', text),
  )
  const hidden = samples.length - shown.length
  if (hidden === 0) return lines
  const note = `... ${hidden} more, all rejected (--format json has them)`
  return [...lines.slice(0, -1), style('faint', note), lines.at(-1)!]
}

function resultLines(explanation: Explanation, notation: Notation, style: Style): string[] {
  return [...outcomeLines(explanation, notation, style), ...responsibilityLines(explanation, style)]
}

/** Said only of a period that is not handled: of all others it is what everybody expects. */
function responsibilityLines(
  { responsibleSince, answeredFor, timezone }: Explanation,
  style: Style,
): string[] {
  if (responsibleSince === null || answeredFor) return []
  const since = momentText(responsibleSince, timezone)
  return [
    style('warning', `not responsible: the host answers for this job since ${since}`),
    'The period was due before that, so it does not run and is not missed.',
  ]
}

function outcomeLines(explanation: Explanation, notation: Notation, style: Style): string[] {
  const { chosen, delaySeconds, attempts, superseded, timezone } = explanation
  if (chosen === null) return unschedulableLines(explanation, notation, style)
  const lines = aligned(
    [
      ['chosen', style('good', momentText(chosen, timezone))],
      ['delay', signedDuration(delaySeconds!)],
      ['attempts', String(attempts)],
    ],
    style,
  )
  if (superseded === null) return lines
  const when = momentText(superseded, timezone)
  return [
    ...lines,
    style('warning', `superseded: the next period takes over at ${when}`),
    'A clock change brought two windows together; the earlier period is then skipped.',
  ]
}

function unschedulableLines(
  { reason, constraints }: Explanation,
  { exact, parts }: Notation,
  style: Style,
): string[] {
  const { acceptedShare, unschedulableProbability } = constraints
  const impossible = acceptedShare === 0
  return [
    style('error', `unschedulable: ${reason}`),
    'The job does not run in this period, and the period is not tried again.',
    impossible
      ? 'No second of the window is allowed: widen the window or drop the clause.'
      : `${percent(acceptedShare)} of draws are allowed; with ${maxAttempts} draws a period is ` +
        `lost with probability ${percent(unschedulableProbability)}.`,
    ...(impossible
      ? []
      : [`Add ${exact} to ${parts.distribution}, widen the window, or drop the clause.`]),
  ]
}

/** `2026-03-29T01:00:00Z  2026-03-29 03:00:00+02:00`; once when the zone is UTC. */
function momentText({ utc, local }: Moment, timezone: string): string {
  return timezone === 'UTC' ? utc : `${utc}  ${spaced(local)}`
}

const spaced = (local: string): string =>
  local.replace('T', ' ').replace(/(?=[+-]\d\d:\d\d(?::\d\d)?$)/, ' ')
