import type { Cell } from '@kron/command'
import { grouped, percent } from '@kron/runtime'
import type { Output } from '../invocation.js'
import { roughDuration, whenText } from './distance.js'

export interface QuotaDocument {
  readonly quotas: Readonly<Record<string, number | null>>
  readonly usage: Readonly<Record<string, number | string>>
  readonly resetsAt: string
}

/** What is shown, by its name in quotas and in usage. */
const shown = [
  ['endpoints', 'endpoints', 'endpoints'],
  ['runs this month', 'runsPerMonth', 'runs'],
  ['AI calls this month', 'aiCallsPerMonth', 'aiCalls'],
  ['AI tokens this month', 'aiTokensPerMonth', 'aiTokens'],
  ['requests a minute', 'requestsPerMinute', null],
  ['shortest interval', 'minIntervalMs', null],
] as const

export function printQuotas(output: Output, document: QuotaDocument): void {
  const columns = [
    { title: 'quota' },
    { title: 'used', align: 'right' as const },
    { title: 'of', align: 'right' as const },
    { title: '', align: 'right' as const },
  ]
  output.printTable(
    columns,
    shown.map(([label, quota, used]) => row(label, document, quota, used)),
  )
  const resets = whenText(document.resetsAt, output.now)
  output.printCells(['', `months begin again at ${resets}`])
}

const limitText = (quota: string, limit: number): string =>
  quota === 'minIntervalMs' ? roughDuration(limit) : grouped(limit)

function row(
  label: string,
  { quotas, usage }: QuotaDocument,
  quota: string,
  used: string | null,
): Cell[] {
  const limit = quotas[quota] ?? null
  const count = used === null ? null : Number(usage[used] ?? 0)
  const share = count === null || limit === null ? null : limit === 0 ? 1 : count / limit
  return [
    label,
    count === null ? '-' : grouped(count),
    limit === null ? 'no limit' : limitText(quota, limit),
    share === null
      ? ''
      : [share >= 1 ? 'error' : share >= 0.8 ? 'warning' : 'good', percent(share)],
  ]
}
