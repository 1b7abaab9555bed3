import type { Cell } from '@kron/command'
import { formatDuration } from '@kron/core'
import type { Column } from '@kron/runtime'
import type { EndpointDocument, HintDocument } from '../client/index.js'
import { whenText } from './distance.js'
import { sourceText } from './source-text.js'
import { statusCell } from './status-tone.js'

export const endpointColumns: readonly Column[] = [
  { title: 'endpoint' },
  { title: 'job' },
  { title: 'schedule' },
  { title: 'status' },
  { title: 'next (UTC)' },
  { title: 'last' },
  { title: 'failures', align: 'right' },
  { title: 'id' },
]

export function endpointRow(endpoint: EndpointDocument, jobName: string): Cell[] {
  return [
    endpoint.name,
    jobName,
    scheduleText(endpoint),
    statusCell(endpoint.status),
    endpoint.nextRunAt ?? '-',
    statusCell(endpoint.lastStatus),
    String(endpoint.failureCount),
    ['faint', endpoint.id],
  ]
}

export function scheduleText({ cron, intervalMs, timezone }: EndpointDocument): string {
  if (cron === null) return intervalMs === null ? '-' : `every ${formatDuration(intervalMs)}`
  return timezone === null ? cron : `${cron} (${timezone})`
}

export function endpointDetails(
  endpoint: EndpointDocument,
  jobName: string,
  now: number,
): [string, Cell | null][] {
  const { hints } = endpoint
  const headers = Object.keys(endpoint.headers)
  return [
    ['endpoint', ['strong', endpoint.name]],
    ['id', endpoint.id],
    ['job', `${jobName} (${endpoint.jobId})`],
    ['description', endpoint.description],
    ['request', `${endpoint.method} ${endpoint.url}`],
    ['headers', headers.length === 0 ? null : headers.join(', ')],
    ['schedule', scheduleText(endpoint)],
    ['jitter', durationOrNull(endpoint.jitterMs)],
    ['min interval', durationOrNull(endpoint.minIntervalMs)],
    ['max interval', durationOrNull(endpoint.maxIntervalMs)],
    ['timeout', formatDuration(endpoint.timeoutMs)],
    ['planner', endpoint.planner],
    ['status', statusCell(endpoint.status)],
    ['paused until', pauseText(endpoint, now)],
    ['next run', nextText(endpoint, now)],
    ['last run', lastCell(endpoint, now)],
    ['failures', String(endpoint.failureCount)],
    ['interval hint', hints.interval && hintText(hints.interval, now)],
    ['one-shot hint', hints.oneShot && hintText(hints.oneShot, now)],
    ['changed', whenText(endpoint.updatedAt, now)],
    ['version', String(endpoint.version)],
  ]
}

const durationOrNull = (ms: number | null): string | null =>
  ms === null ? null : formatDuration(ms)

function pauseText({ pausedUntil, pauseReason }: EndpointDocument, now: number): string | null {
  const when = whenText(pausedUntil, now)
  return when === null || pauseReason === null ? when : `${when}: ${pauseReason}`
}

function nextText({ nextRunAt, source, giver, status }: EndpointDocument, now: number): string {
  const when = whenText(nextRunAt, now)
  if (when === null && status === 'suspended') return 'none while it is suspended'
  if (when === null && status === 'finished') return 'none: no time of its schedule is left'
  return when === null ? 'never' : `${when}, ${sourceText(source!, giver)}`
}

function lastCell({ lastRunAt, lastStatus }: EndpointDocument, now: number): Cell | null {
  const when = whenText(lastRunAt, now)
  if (when === null) return null
  const status = statusCell(lastStatus)
  return typeof status === 'string' ? `${when}, ${status}` : [status[0], `${when}, ${status[1]}`]
}

function hintText(hint: HintDocument, now: number): string {
  const what =
    hint.intervalMs === undefined
      ? `at ${hint.nextRunAt}`
      : `every ${formatDuration(hint.intervalMs)}`
  const reason = hint.reason === null ? '' : `: ${hint.reason}`
  return `${what} until ${whenText(hint.expiresAt, now)}, by ${hint.giver ?? hint.by}${reason}`
}
