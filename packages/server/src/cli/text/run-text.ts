import type { Cell } from '@kron/command'
import type { Column } from '@kron/runtime'
import type { RunDocument } from '../client/index.js'
import { roughDuration, whenText } from './distance.js'
import { runSourceText } from './source-text.js'
import { statusCell } from './status-tone.js'

export const runColumns: readonly Column[] = [
  { title: 'scheduled for (UTC)' },
  { title: 'endpoint' },
  { title: 'status' },
  { title: 'http', align: 'right' },
  { title: 'took', align: 'right' },
  { title: 'source' },
  { title: 'id' },
  { title: 'note' },
]

export function runRow(run: RunDocument, endpointName: string): Cell[] {
  return [
    run.scheduledFor,
    endpointName,
    statusCell(run.status),
    run.response?.httpStatus ? String(run.response.httpStatus) : '-',
    tookText(run),
    runSourceText(run),
    ['faint', run.id],
    run.error?.message ?? run.reason ?? '',
  ]
}

export function runDetails(
  run: RunDocument,
  endpointName: string,
  now: number,
): [string, Cell | null][] {
  const { response, error } = run
  return [
    ['run', ['strong', run.id]],
    ['endpoint', `${endpointName} (${run.endpointId})`],
    ['status', statusCell(run.status)],
    ['reason', run.reason],
    ['scheduled for', whenText(run.scheduledFor, now)],
    ['period', run.periodId],
    ['source', runSourceText(run)],
    ['started', whenText(run.startedAt, now)],
    ['ended', whenText(run.endedAt, now)],
    ['took', tookText(run)],
    ['attempts', String(run.attempts)],
    ['answer', response === null ? null : answerText(response)],
    ['error', error === null ? null : ['error', `${error.message} [${error.code}]`]],
    ...(run.notes ?? []).map((note): [string, Cell] => ['note', note]),
  ]
}

function tookText({ startedAt, endedAt }: RunDocument): string {
  if (startedAt === null || endedAt === null) return '-'
  return roughDuration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))
}

function answerText(response: NonNullable<RunDocument['response']>): string {
  const status = response.httpStatus === null ? 'no status' : `HTTP ${response.httpStatus}`
  const cut = response.truncated ? ', truncated' : ''
  return `${status}, ${response.bodyBytes} bytes${cut}`
}
