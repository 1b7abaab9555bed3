import type {
  Run,
  RunContext,
  RunError,
  RunKey,
  RunResponse,
  RunSource,
  RunStatus,
} from '../../domain/index.js'

import type { EndedRun } from '../../scheduling/index.js'
import type { WrittenOutcome } from './hot-statements.js'

export interface RunRow {
  readonly endpoint_id: string
  readonly scheduled_for: number
  readonly tenant_id: string
  readonly period_id: string
  readonly source: string
  readonly status: string
  readonly reason: string | null
  readonly fence: number
  readonly owner: string | null
  readonly claimed_at: number | null
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly attempts: number
  readonly context: string
  readonly result: string | null
}

/** Everything but the body, which only `body` reads. */
export const runColumns = [
  'endpoint_id',
  'scheduled_for',
  'tenant_id',
  'period_id',
  'source',
  'status',
  'reason',
  'fence',
  'owner',
  'claimed_at',
  'started_at',
  'ended_at',
  'attempts',
  'context',
  'result',
] as const satisfies readonly (keyof RunRow)[]

export function runKeyOf(row: Pick<RunRow, 'endpoint_id' | 'scheduled_for'>): RunKey {
  return { endpointId: row.endpoint_id, scheduledFor: row.scheduled_for }
}

export interface StoredResult {
  readonly error?: RunError
  readonly response?: RunResponse
  readonly notes?: readonly string[]
}

export function runOf(row: RunRow): Run {
  const result = row.result === null ? {} : (JSON.parse(row.result) as StoredResult)
  return {
    endpointId: row.endpoint_id,
    scheduledFor: row.scheduled_for,
    tenantId: row.tenant_id,
    periodId: row.period_id,
    source: row.source as RunSource,
    status: row.status as RunStatus,
    reason: row.reason,
    fence: row.fence,
    owner: row.owner,
    claimedAt: row.claimed_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    attempts: row.attempts,
    error: result.error ?? null,
    response: result.response ?? null,
    notes: result.notes ?? [],
    context: JSON.parse(row.context) as RunContext,
  }
}

/** What stood behind a run that nobody claimed. */
export function endedContext({ stretch }: EndedRun): string {
  return JSON.stringify({ failureCount: 0, ...(stretch && { stretch }) })
}

export function resultText(result: StoredResult): string | null {
  return Object.keys(result).length === 0 ? null : JSON.stringify(result)
}

/** What an outcome leaves in the row, but for the body. */
export function outcomeText({ error, response, notes }: WrittenOutcome): string | null {
  return resultText({
    ...(error !== null && { error }),
    ...(response !== null && {
      response: {
        httpStatus: response.httpStatus,
        headers: response.headers,
        bodyBytes: response.body.byteLength,
        truncated: response.truncated,
      },
    }),
    ...(notes.length > 0 && { notes }),
  })
}
