import { type Cell, countArgument, type ExitCode, exitCodes } from '@kron/command'
import { percent } from '@kron/runtime'
import type { Command } from 'commander'
import type { Advice, Explanation } from '../../answers/index.js'
import type { Health } from '../../domain/index.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { endpointIdOf } from '../selection.js'
import { distance, roughDuration, whenText } from '../text/distance.js'
import { sourceText } from '../text/source-text.js'
import { withEndpoint } from './endpoint-operand.js'
import { withLimit } from './list-options.js'

interface NextDocument {
  readonly items: readonly {
    readonly nextRunAt: string
    readonly source: string
    readonly giver?: string | null
    readonly periodId: string
  }[]
}

export function addAnswerCommands(endpoints: Command, ports: CommandPorts): void {
  const next = withEndpoint(endpoints, 'next', 'Show when the endpoint runs next, if all goes well')
  acting(withLimit(next, '10'), ports, showNext)
  const explain = withEndpoint(endpoints, 'explain', 'Explain why the endpoint runs when it does')
  acting(explain, ports, showExplanation)
  const advice = withEndpoint(
    endpoints,
    'advice',
    'Show what the learner knows, and how the endpoint runs with it and without',
  )
  acting(advice, ports, showAdvice)
  const health = withEndpoint(endpoints, 'health', 'Show success rate, durations and streaks')
  acting(health, ports, showHealth)
}

async function showNext(
  invocation: Invocation,
  options: { readonly limit: string },
  endpoint?: string,
): Promise<ExitCode> {
  const { client } = invocation
  const count = countArgument('--limit', options.limit, 100)
  const id = await endpointIdOf(client, endpoint!)
  const document = await client.get<NextDocument>(`/endpoints/${id}/next`, { count })
  if (invocation.isJson) invocation.printJson(document)
  else if (document.items.length === 0) invocation.printCells(['nothing is planned'])
  else {
    const columns = [{ title: 'next (UTC)' }, { title: 'when' }, { title: 'source' }]
    const rows = document.items.map(({ nextRunAt, source, giver }) => [
      nextRunAt,
      distance(Date.parse(nextRunAt), invocation.now),
      sourceText(source, giver),
    ])
    invocation.printTable(columns, rows)
  }
  return exitCodes.success
}

async function showExplanation(invocation: Invocation, _: unknown, endpoint?: string) {
  const { client } = invocation
  const id = await endpointIdOf(client, endpoint!)
  const explanation = await client.get<Explanation>(`/endpoints/${id}/explain`)
  if (invocation.isJson) {
    invocation.printJson(explanation)
    return exitCodes.success
  }
  invocation.printCells([...explanation.sentences, ''])
  const columns = [{ title: '' }, { title: 'asked' }, { title: 'would be' }, { title: 'why' }]
  invocation.printTable(columns, explanation.candidates.map(candidateRow))
  return exitCodes.success
}

function candidateRow({ kind, chosen, nextRunAt, why }: Explanation['candidates'][number]): Cell[] {
  const name: Cell = chosen ? ['strong', kind] : kind
  return [chosen ? '>' : '', name, nextRunAt ?? '-', why]
}

async function showAdvice(invocation: Invocation, _: unknown, endpoint?: string) {
  const { client } = invocation
  const id = await endpointIdOf(client, endpoint!)
  const advice = await client.get<Advice>(`/endpoints/${id}/advice`)
  if (invocation.isJson) {
    invocation.printJson(advice)
    return exitCodes.success
  }
  invocation.printCells([advice.said, ''])
  if (advice.learned !== null) {
    invocation.printDetails(adviceDetails(advice, advice.learned, invocation.now))
    invocation.printCells([''])
  }
  const columns = [{ title: 'next by the baseline' }, { title: 'next with the learner' }]
  const { baseline, learner } = advice.next
  const rows = Array.from({ length: Math.max(baseline.length, learner.length) }, (_each, row) => [
    baseline[row] ?? '-',
    learner[row] ?? '-',
  ])
  invocation.printTable(columns, rows)
  return exitCodes.success
}

function adviceDetails(
  { planner, compared }: Advice,
  { since, changesEveryMs, peak, downSince, limitMs }: NonNullable<Advice['learned']>,
  now: number,
): [string, Cell | null][] {
  return [
    ['planner', planner],
    ['learns since', whenText(since, now)],
    ['changes every', changesEveryMs === null ? 'unknown' : roughDuration(changesEveryMs)],
    ['mostly', peak],
    ['down since', whenText(downSince, now)],
    ['gap at least', limitMs === null ? null : roughDuration(limitMs)],
    ['baseline', compared && figuresText(compared.baseline)],
    ['learner', compared && figuresText(compared.learner)],
  ]
}

function figuresText({
  callsPerDay,
  delayMs,
}: NonNullable<Advice['compared']>['baseline']): string {
  const calls = `${callsPerDay.toFixed(1)} calls a day`
  return delayMs === null ? calls : `${calls}, sees a change after ${roughDuration(delayMs)}`
}

async function showHealth(invocation: Invocation, _: unknown, endpoint?: string) {
  const { client } = invocation
  const id = await endpointIdOf(client, endpoint!)
  const health = await client.get<Health>(`/endpoints/${id}/health`)
  if (invocation.isJson) invocation.printJson(health)
  else invocation.printDetails(healthDetails(health, invocation.now))
  return exitCodes.success
}

function healthDetails(health: Health, now: number): [string, Cell | null][] {
  const { durationMs, latenessMs, streak, successRate } = health
  const counts = Object.entries(health.counts).filter(([, count]) => count > 0)
  return [
    ['runs', `${health.runs}${health.since === null ? '' : ` since ${health.since}`}`],
    ['by status', counts.map(([status, count]) => `${status} ${count}`).join(', ') || null],
    ['success rate', successRate === null ? 'unknown' : rateCell(successRate)],
    ['duration', durationMs && percentiles(durationMs)],
    ['lateness', latenessMs && percentiles(latenessMs)],
    ['streak', streak && streakCell(streak)],
    ['longest failing', String(health.longestFailureStreak)],
    ['last success', whenText(health.lastSuccessAt, now)],
    ['last failure', whenText(health.lastFailureAt, now)],
  ]
}

const rateCell = (rate: number): Cell => [
  rate >= 0.99 ? 'good' : rate >= 0.9 ? 'warning' : 'error',
  percent(rate),
]

const percentiles = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([name, ms]) => `${name} ${roughDuration(ms)}`)
    .join(', ')

const streakCell = ({ status, length }: NonNullable<Health['streak']>): Cell => [
  status === 'success' ? 'good' : 'error',
  `${length} x ${status}`,
]
