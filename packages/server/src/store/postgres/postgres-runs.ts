import type { Outcome } from '../../scheduling/index.js'
import type { ClaimedRun } from '../claim.js'
import type { ColumnValues } from '../sql/columns.js'
import type {
  EndedRow,
  HotStatements,
  StoredBodyOf,
  TakenRun,
  WrittenOutcome,
} from '../sql/hot-statements.js'
import {
  type Claiming,
  endedRuns,
  outcomeText,
  overlapLeaseOf,
  type RunKeyRow,
  type RunStateRow,
  resultOf,
  runColumns,
  runKey,
  runKeyOf,
  runStateOf,
  selectedState,
  startedRuns,
} from '../sql/run-row.js'
import { batchOf, insertOf } from './batch.js'
import type { OpenTransaction } from './connections.js'

const ofKey = 'r.endpoint_id = u.endpoint_id AND r.scheduled_for = u.scheduled_for'
const batch = <Item extends TakenRun>(values: ColumnValues<typeof runColumns, Item>) =>
  batchOf<typeof runColumns, Item>(runColumns, { ...runKey, ...values })
const keys = batch<TakenRun>({})

const insertStarted = insertOf('runs', runColumns, startedRuns)
const insertEnded = insertOf('runs', runColumns, endedRuns)

const fenced = batch<ClaimedRun>({ fence: (run) => run.fence })
/** Which rows a claim has inserted where others were there before: by owner, fence and moment. */
const selectStarted = `SELECT r.endpoint_id, r.scheduled_for FROM ${fenced.from}
  JOIN runs r ON ${ofKey} AND r.fence = u.fence
  WHERE r.owner = $4 AND r.claimed_at = $5 AND r.status = 'running'`

const taken = batch<ClaimedRun>({
  fence: (run) => run.fence,
  attempts: (run) => run.attempts,
  overlap_lease: overlapLeaseOf,
  status: (run) => run.replaces,
})
const takeRuns = `UPDATE runs r SET status = 'running', fence = u.fence, owner = $7,
    claimed_at = $8, attempts = u.attempts, overlap_lease = u.overlap_lease
  FROM ${taken.from} WHERE ${ofKey} AND r.status = u.status
  RETURNING r.endpoint_id, r.scheduled_for`

const ending = batch<EndedRow>({
  status: (run) => run.status,
  reason: (run) => run.reason,
  result: resultOf,
})
/**
 * The condition on the row's state names both sides, here and below. By a plain one the planner,
 * whose statistics are of a time when few runs were under way, would take each of these rows and
 * compare it with each key, instead of looking each key up: seconds for a thousand of them.
 */
export const endRunning = `UPDATE runs r SET status = u.status, reason = u.reason, ended_at = $6,
    result = u.result
  FROM ${ending.from} WHERE ${ofKey}
    AND u.status = CASE WHEN r.status IN ('pending', 'running') THEN u.status END`

const readRuns = `SELECT ${selectedState} FROM ${keys.from} JOIN runs r ON ${ofKey}`

interface StoredOutcome extends WrittenOutcome {
  readonly stored: Uint8Array | null
}
const ended = batch<StoredOutcome>({
  status: (outcome) => outcome.status,
  reason: (outcome) => outcome.reason,
  started_at: (outcome) => outcome.startedAt,
  ended_at: (outcome) => outcome.endedAt,
  attempts: (outcome) => outcome.attempts,
  result: outcomeText,
  body: (outcome) => outcome.stored,
  fence: (outcome) => outcome.fence,
})
export const writeOutcomes = `UPDATE runs r SET status = u.status, reason = u.reason,
    started_at = u.started_at, ended_at = u.ended_at, attempts = u.attempts, result = u.result,
    body = u.body, overlap_lease = NULL
  FROM ${ended.from} WHERE ${ofKey}
    AND u.fence = CASE r.status WHEN 'running' THEN r.fence END`

const begun = batch<Outcome>({
  started_at: (outcome) => outcome.startedAt,
  attempts: (outcome) => outcome.attempts,
  fence: (outcome) => outcome.fence,
})

const addStarts = `UPDATE runs r SET started_at = u.started_at, attempts = u.attempts
  FROM ${begun.from} WHERE ${ofKey}
    AND u.fence = CASE r.status WHEN 'cancelled' THEN r.fence END`

const replaceRuns = `UPDATE runs r SET status = 'cancelled', reason = 'replaced', ended_at = $3,
    overlap_lease = NULL
  FROM ${keys.from} WHERE r.endpoint_id = u.endpoint_id AND r.overlap_lease IS NOT NULL
    AND r.scheduled_for <> u.scheduled_for
  RETURNING r.endpoint_id, r.scheduled_for`

const endLost = `UPDATE runs SET status = 'cancelled', reason = 'worker_lost', ended_at = $1,
    overlap_lease = NULL
  WHERE (endpoint_id, scheduled_for) IN (SELECT endpoint_id, scheduled_for FROM runs
    WHERE overlap_lease <= $2 ORDER BY overlap_lease LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING tenant_id, endpoint_id, scheduled_for`

const lockRuns = `SELECT 1 FROM ${keys.from} JOIN runs r ON ${ofKey}
  ORDER BY r.endpoint_id, r.scheduled_for FOR UPDATE OF r`

const deleteUnsent = `DELETE FROM runs r USING ${keys.from}
  WHERE ${ofKey} AND r.source NOT IN ('manual', 'replay')`
const requestAgain = `UPDATE runs r SET status = 'pending', owner = NULL, claimed_at = NULL,
    overlap_lease = NULL
  FROM ${keys.from} WHERE ${ofKey}`

type RunStatements = Pick<
  HotStatements,
  | 'startRuns'
  | 'endRuns'
  | 'replaceRuns'
  | 'endLostRuns'
  | 'lockRuns'
  | 'readRuns'
  | 'writeOutcomes'
  | 'addStarts'
  | 'releaseRuns'
>

export function runStatements(open: OpenTransaction): RunStatements {
  const { now } = open
  return {
    startRuns: (runs, { owner }) => startRuns(open, runs, { owner, now }),
    endRuns: (runs) => endRuns(open, runs),
    replaceRuns: async (started) => {
      if (started.length === 0) return []
      return (await open.all<RunKeyRow>(replaceRuns, [...keys.values(started), now])).map(runKeyOf)
    },
    endLostRuns: async (until, limit) => {
      const rows = await open.all<RunKeyRow & { tenant_id: string }>(endLost, [now, until, limit])
      return rows.map((row) => ({ ...runKeyOf(row), tenantId: row.tenant_id }))
    },
    lockRuns: async (runs) => {
      await open.run(lockRuns, keys.values(runs))
    },
    readRuns: async (runs) => {
      if (runs.length === 0) return []
      const { rows } = await open.prepared<RunStateRow>('read_runs', readRuns, keys.values(runs))
      return rows.map(runStateOf)
    },
    writeOutcomes: (outcomes, bodyOf) => writeAll(open, outcomes, bodyOf),
    addStarts: async (outcomes) => {
      await open.run(addStarts, begun.values(outcomes))
    },
    releaseRuns: async (outcomes) => {
      await open.run(deleteUnsent, keys.values(outcomes))
      await open.run(requestAgain, keys.values(outcomes))
    },
  }
}

async function startRuns(
  open: OpenTransaction,
  runs: readonly ClaimedRun[],
  by: Claiming,
): Promise<boolean[]> {
  const fresh = runs.filter(({ replaces }) => replaces === 'nothing')
  const there = runs.filter(({ replaces }) => replaces !== 'nothing')
  const ours = new Set<string>()
  const keep = (started: readonly TakenRun[]): void => {
    for (const { endpointId } of started) ours.add(endpointId)
  }
  if (fresh.length > 0) {
    const values = insertStarted.values(fresh, by)
    const { count } = await open.prepared('insert_runs', insertStarted.text, values)
    keep(count === fresh.length ? fresh : await startedOf(open, fresh, by))
  }
  if (there.length > 0) {
    const values = [...taken.values(there), by.owner, by.now]
    const { rows } = await open.prepared<RunKeyRow>('take_runs', takeRuns, values)
    keep(rows.map(runKeyOf))
  }
  return runs.map(({ endpointId }) => ours.has(endpointId))
}

async function startedOf(
  open: OpenTransaction,
  runs: readonly ClaimedRun[],
  { owner, now }: Claiming,
): Promise<TakenRun[]> {
  const values = [...fenced.values(runs), owner, now]
  return (await open.all<RunKeyRow>(selectStarted, values)).map(runKeyOf)
}

async function endRuns(open: OpenTransaction, runs: readonly EndedRow[]): Promise<void> {
  const running = runs.filter(({ wasRunning }) => wasRunning)
  const made = runs.filter(({ wasRunning }) => !wasRunning)
  if (running.length > 0) {
    await open.prepared('end_running', endRunning, [...ending.values(running), open.now])
  }
  if (made.length > 0) {
    await open.prepared('insert_ended', insertEnded.text, insertEnded.values(made, open))
  }
}

async function writeAll(
  open: OpenTransaction,
  outcomes: readonly WrittenOutcome[],
  bodyOf: StoredBodyOf,
): Promise<void> {
  const stored = outcomes.map((outcome) => ({ ...outcome, stored: bodyOf(outcome) }))
  await open.prepared('write_outcomes', writeOutcomes, ended.values(stored))
}
