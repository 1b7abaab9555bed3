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
import type { ClaimedRun } from '../claim.js'
import { type ColumnValues, type NewRows, namesOf, type RowOf } from './columns.js'
import type { EndedRow, RunState, TakenRun, WrittenOutcome } from './hot-statements.js'

/** All columns of `runs`. What is inserted, selected and read of a run derives from this list. */
export const runColumns = {
  endpoint_id: 'text',
  scheduled_for: 'bigint',
  tenant_id: 'text',
  period_id: 'text',
  source: 'text',
  status: 'text',
  reason: 'text or null',
  fence: 'bigint',
  owner: 'text or null',
  /** The end of its lease when further runs may start beside it; otherwise the plan has that. */
  overlap_lease: 'bigint or null',
  claimed_at: 'bigint or null',
  started_at: 'bigint or null',
  ended_at: 'bigint or null',
  attempts: 'bigint',
  context: 'text',
  result: 'text or null',
  body: 'bytes or null',
} as const

type WholeRow = RowOf<typeof runColumns>

/** Everything but the body, which only `body` reads, and the lease, which only claims do. */
export type RunRow = Omit<WholeRow, 'body' | 'overlap_lease'>
export type RunKeyRow = Pick<WholeRow, 'endpoint_id' | 'scheduled_for'>

export const selectedRun: string = namesOf(runColumns)
  .filter((name) => name !== 'body' && name !== 'overlap_lease')
  .join(', ')

export function runKeyOf(row: RunKeyRow): RunKey {
  return { endpointId: row.endpoint_id, scheduledFor: row.scheduled_for }
}

export function runOf(row: RunRow): Run {
  const result = row.result === null ? {} : (JSON.parse(row.result) as StoredResult)
  return {
    ...runKeyOf(row),
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

/** What must still be so when an outcome is written. */
const stateColumns = [
  'endpoint_id',
  'scheduled_for',
  'status',
  'reason',
  'fence',
  'attempts',
  'started_at',
  'overlap_lease',
  'source',
  'period_id',
] as const satisfies readonly (keyof WholeRow)[]

export type RunStateRow = Pick<WholeRow, (typeof stateColumns)[number]>

export const selectedState: string = stateColumns.map((name) => `r.${name}`).join(', ')

export function runStateOf(row: RunStateRow): RunState {
  return {
    ...runKeyOf(row),
    status: row.status,
    reason: row.reason,
    fence: row.fence,
    attempts: row.attempts,
    startedAt: row.started_at,
    overlapLease: row.overlap_lease,
    source: row.source as RunSource,
    periodId: row.period_id,
  }
}

type NewRuns<Item, Common> = NewRows<typeof runColumns, Item, Common>

export const runKey = {
  endpoint_id: (run: TakenRun) => run.endpointId,
  scheduled_for: (run: TakenRun) => run.scheduledFor,
} satisfies ColumnValues<typeof runColumns, TakenRun>

const identity = {
  ...runKey,
  tenant_id: (run: { readonly tenantId: string }) => run.tenantId,
  period_id: (run: { readonly periodId: string }) => run.periodId,
  source: (run: { readonly source: RunSource }) => run.source,
}

/** Null where the plan has the lease: no other run starts beside it. */
export const overlapLeaseOf = ({ overlapping, leaseUntil }: ClaimedRun): number | null =>
  overlapping ? leaseUntil : null

export interface Claiming {
  readonly owner: string
  readonly now: number
}

/** Runs that a claim starts. */
export const startedRuns: NewRuns<ClaimedRun, Claiming> = {
  each: {
    ...identity,
    fence: (run) => run.fence,
    attempts: (run) => run.attempts,
    context: (run) => JSON.stringify(run.context),
    overlap_lease: overlapLeaseOf,
  },
  common: {
    status: () => 'running',
    owner: ({ owner }) => owner,
    claimed_at: ({ now }) => now,
  },
}

/** Runs that end without having been started. */
export const endedRuns: NewRuns<EndedRow, { readonly now: number }> = {
  each: {
    ...identity,
    status: (run) => run.status,
    reason: (run) => run.reason,
    context: endedContext,
  },
  common: { fence: () => 0, attempts: () => 0, ended_at: ({ now }) => now },
}

/** Runs that people ask for, and those of a history that is written at once. */
export const wholeRuns: NewRuns<Run, null> = {
  each: {
    ...identity,
    status: (run) => run.status,
    reason: (run) => run.reason,
    fence: (run) => run.fence,
    owner: (run) => run.owner,
    claimed_at: (run) => run.claimedAt,
    started_at: (run) => run.startedAt,
    ended_at: (run) => run.endedAt,
    attempts: (run) => run.attempts,
    context: (run) => JSON.stringify(run.context),
    result: resultOf,
  },
  common: {},
}

interface StoredResult {
  readonly error?: RunError
  readonly response?: RunResponse
  readonly notes?: readonly string[]
}

/** What stood behind a run that nobody claimed. */
function endedContext({ stretch }: EndedRun): string {
  return JSON.stringify({ failureCount: 0, ...(stretch && { stretch }) })
}

/** What an outcome leaves in the row, but for the body. */
export function outcomeText({ error, response, notes }: WrittenOutcome): string | null {
  const kept = response && {
    httpStatus: response.httpStatus,
    headers: response.headers,
    bodyBytes: response.body.byteLength,
    truncated: response.truncated,
  }
  return resultOf({ error, response: kept, notes })
}

/** The column `result`: only what there is to tell, and null where that is nothing. */
export function resultOf({
  error,
  response = null,
  notes = [],
}: Pick<Run, 'error'> & Partial<Pick<Run, 'response' | 'notes'>>): string | null {
  const result: StoredResult = {
    ...(error !== null && { error }),
    ...(response !== null && { response }),
    ...(notes.length > 0 && { notes }),
  }
  return Object.keys(result).length === 0 ? null : JSON.stringify(result)
}
