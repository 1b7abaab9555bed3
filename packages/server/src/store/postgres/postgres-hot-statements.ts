import type { Plan, RunSource, SystemQuotas } from '../../domain/index.js'
import type { ClaimedRun } from '../claim.js'
import { alreadySettled } from '../sql/claim-transaction.js'
import { type EndpointRow, endpointOf } from '../sql/endpoint-table.js'
import type {
  EndedRow,
  FreePlans,
  HotStatements,
  NextWakes,
  RunState,
  StoredBodyOf,
  TakenRun,
  WrittenOutcome,
} from '../sql/hot-statements.js'
import { changingColumns, type PlanRow, planColumns, planOf, planRow } from '../sql/plan-row.js'
import { endedContext, outcomeText } from '../sql/run-row.js'
import { takenText } from '../sql/taken-runs.js'
import { bytes, numbers, texts } from './array-literal.js'
import type { OpenTransaction } from './connections.js'
import { countRuns, runsLeft, systemRunsLeft } from './postgres-usage.js'

const columns = planColumns.join(', ')
const textColumns: ReadonlySet<string> = new Set([
  'endpoint_id',
  'wake_kind',
  'source',
  'period_id',
  'held_source',
  'last_status',
  'adjustments',
  'timing',
])
const putColumns = ['endpoint_id', ...changingColumns] as const
const typeOf = (name: string): string => (textColumns.has(name) ? 'text[]' : 'bigint[]')

const lockDue = `SELECT ${columns} FROM plans
  WHERE wake_at <= $1 AND (wake_kind = 'due' OR wake_at <= $2) AND tenant_id <> ALL($4::text[])
  ORDER BY wake_at LIMIT $3 FOR UPDATE SKIP LOCKED`
const lockPlans = `SELECT ${columns} FROM plans WHERE endpoint_id = ANY($1::text[])
  ORDER BY endpoint_id FOR UPDATE`
const lockFreePlans = `SELECT ${columns} FROM plans WHERE endpoint_id = ANY($1::text[])
  FOR UPDATE SKIP LOCKED`
const putPlans = `UPDATE plans p SET ${changingColumns.map((name) => `${name} = u.${name}`).join(', ')}
  FROM unnest(${putColumns.map((name, n) => `$${n + 1}::${typeOf(name)}`).join(', ')})
    AS u(${putColumns.join(', ')}) WHERE p.endpoint_id = u.endpoint_id`
const insertRuns = `INSERT INTO runs (endpoint_id, scheduled_for, tenant_id, period_id, source,
    fence, attempts, context, overlap_lease, status, owner, claimed_at)
  SELECT u.*, 'running', $10, $11 FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[],
    $5::text[], $6::bigint[], $7::bigint[], $8::text[], $9::bigint[]) AS u
  ON CONFLICT DO NOTHING`
const takeRuns = `UPDATE runs r SET status = 'running', fence = u.fence, owner = $7,
    claimed_at = $8, attempts = u.attempts, overlap_lease = u.lease
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
    AS u(endpoint_id, scheduled_for, fence, attempts, lease, replaces)
  WHERE r.endpoint_id = u.endpoint_id AND r.scheduled_for = u.scheduled_for
    AND r.status = u.replaces
  RETURNING r.endpoint_id`
/**
 * The condition on the row's state names both sides, here and below. By a plain one the planner,
 * whose statistics are of a time when few runs were under way, would take each of these rows and
 * compare it with each key, instead of looking each key up: seconds for a thousand of them.
 */
export const endRunning = `UPDATE runs r SET status = u.status, reason = u.reason, ended_at = $6,
    result = u.result
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
    AS u(endpoint_id, scheduled_for, status, reason, result)
  WHERE r.endpoint_id = u.endpoint_id AND r.scheduled_for = u.scheduled_for
    AND u.status = CASE WHEN r.status IN ('pending', 'running') THEN u.status END`
const insertEnded = `INSERT INTO runs (endpoint_id, scheduled_for, tenant_id, period_id, source,
    status, reason, context, fence, ended_at, attempts)
  SELECT u.*, 0, $9, 0 FROM unnest($1::text[], $2::bigint[], $3::text[],
    $4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) AS u
  ON CONFLICT DO NOTHING`
const readRuns = `SELECT r.endpoint_id, r.scheduled_for, r.status, r.reason, r.fence, r.attempts,
    r.started_at, r.overlap_lease, r.source, r.period_id
  FROM unnest($1::text[], $2::bigint[]) AS u(endpoint_id, scheduled_for)
  JOIN runs r ON r.endpoint_id = u.endpoint_id AND r.scheduled_for = u.scheduled_for`
export const writeOutcomes = `UPDATE runs r SET status = u.status, reason = u.reason,
    started_at = u.started_at, ended_at = u.ended_at, attempts = u.attempts, result = u.result,
    body = u.body, overlap_lease = NULL
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
      $7::bigint[], $8::text[], $9::bytea[], $10::bigint[])
    AS u(endpoint_id, scheduled_for, status, reason, started_at, ended_at, attempts, result, body,
      fence)
  WHERE r.endpoint_id = u.endpoint_id AND r.scheduled_for = u.scheduled_for
    AND u.fence = CASE r.status WHEN 'running' THEN r.fence END`

const nextWakes = `SELECT least(
    (SELECT min(wake_at) FROM plans WHERE wake_at IS NOT NULL),
    (SELECT min(overlap_lease) + $2::bigint FROM runs WHERE overlap_lease IS NOT NULL)
  ) AS "nextWakeAt",
  (SELECT wake_at FROM plans WHERE wake_at IS NOT NULL
    ORDER BY wake_at OFFSET $1::bigint - 1 LIMIT 1) AS "nextCrowdAt"`

/** Each statement is one round trip, however many rows it writes. */
export function postgresHotStatements(
  open: OpenTransaction,
  shard: number,
  systemQuotas: SystemQuotas,
): HotStatements {
  const { now } = open
  return {
    now,
    lockDue: async (until, limit, without) => {
      const values = [until, now, limit, texts(without)]
      return plansOf((await open.prepared<PlanRow>('lock_due', lockDue, values)).rows)
    },
    lockPlans: async (ids) =>
      plansOf((await open.prepared<PlanRow>('lock_plans', lockPlans, [texts(ids)])).rows),
    lockFreePlans: (ids) => lockFree(open, ids),
    readEndpoints: async (ids) => {
      const text = 'SELECT * FROM endpoints WHERE id = ANY($1::text[])'
      return (await open.all<EndpointRow>(text, [texts(ids)])).map(endpointOf)
    },
    runsLeft: (tenantIds) => runsLeft(open, tenantIds),
    systemRunsLeft: () => systemRunsLeft(open, systemQuotas),
    startRuns: (runs, { owner }) => startRuns(open, runs, owner),
    endRuns: (runs) => endRuns(open, runs),
    replaceRuns: async (started) => {
      if (started.length === 0) return []
      const rows = await open.all<KeyRow>(
        `UPDATE runs r SET status = 'cancelled', reason = 'replaced', ended_at = $3,
           overlap_lease = NULL
         FROM unnest($1::text[], $2::bigint[]) AS u(endpoint_id, scheduled_for)
         WHERE r.endpoint_id = u.endpoint_id AND r.overlap_lease IS NOT NULL
           AND r.scheduled_for <> u.scheduled_for RETURNING r.endpoint_id, r.scheduled_for`,
        [...keysOf(started), now],
      )
      return rows.map(keyOf)
    },
    putPlans: (plans) => putAll(open, plans),
    countRuns: (counts) => countRuns(open, counts, shard),
    insertClaim: async (claimId, taken) => {
      const text = `INSERT INTO claims (claim_id, at, taken) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING`
      if ((await open.run(text, [claimId, now, takenText(taken)])) === 0) {
        throw alreadySettled(claimId)
      }
    },
    endLostRuns: async (until, limit) => {
      const rows = await open.all<KeyRow & { tenant_id: string }>(
        `UPDATE runs SET status = 'cancelled', reason = 'worker_lost', ended_at = $1,
           overlap_lease = NULL
         WHERE (endpoint_id, scheduled_for) IN (SELECT endpoint_id, scheduled_for FROM runs
           WHERE overlap_lease <= $2 ORDER BY overlap_lease LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING tenant_id, endpoint_id, scheduled_for`,
        [now, until, limit],
      )
      return rows.map((row) => ({ ...keyOf(row), tenantId: row.tenant_id }))
    },
    nextWakes: async (crowd, graceMs) => {
      const { rows } = await open.prepared<NextWakes>('next_wakes', nextWakes, [crowd, graceMs])
      return rows[0]!
    },
    lockRuns: async (keys) => {
      await open.run(
        `SELECT 1 FROM unnest($1::text[], $2::bigint[]) AS u(endpoint_id, scheduled_for)
         JOIN runs r ON r.endpoint_id = u.endpoint_id AND r.scheduled_for = u.scheduled_for
         ORDER BY r.endpoint_id, r.scheduled_for FOR UPDATE OF r`,
        keysOf(keys),
      )
    },
    readRuns: async (keys) => {
      if (keys.length === 0) return []
      const { rows } = await open.prepared<RunStateRow>('read_runs', readRuns, keysOf(keys))
      return rows.map(runStateOf)
    },
    writeOutcomes: (outcomes, bodyOf) => writeAll(open, outcomes, bodyOf),
    addStarts: async (outcomes) => {
      await open.run(
        `UPDATE runs r SET started_at = u.started_at, attempts = u.attempts
         FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
           AS u(endpoint_id, scheduled_for, started_at, attempts, fence)
         WHERE r.endpoint_id = u.endpoint_id AND r.scheduled_for = u.scheduled_for
           AND u.fence = CASE r.status WHEN 'cancelled' THEN r.fence END`,
        [
          ...keysOf(outcomes),
          numbers(outcomes.map(({ startedAt }) => startedAt)),
          numbers(outcomes.map(({ attempts }) => attempts)),
          numbers(outcomes.map(({ fence }) => fence)),
        ],
      )
    },
    releaseRuns: async (outcomes) => {
      const key = `FROM unnest($1::text[], $2::bigint[]) AS u(endpoint_id, scheduled_for)
        WHERE r.endpoint_id = u.endpoint_id AND r.scheduled_for = u.scheduled_for`
      await open.run(
        `DELETE FROM runs r USING ${key.slice(5)} AND r.source NOT IN ('manual', 'replay')`,
        keysOf(outcomes),
      )
      await open.run(
        `UPDATE runs r SET status = 'pending', owner = NULL, claimed_at = NULL,
           overlap_lease = NULL ${key}`,
        keysOf(outcomes),
      )
    },
    askAttention: async (rows) => {
      await open.run(
        `INSERT INTO attention (endpoint_id, tenant_id, why, at)
         SELECT u.*, $4 FROM unnest($1::text[], $2::text[], $3::text[]) AS u ORDER BY 1
         ON CONFLICT (endpoint_id) DO UPDATE SET why = excluded.why`,
        [
          texts(rows.map((row) => row.endpointId)),
          texts(rows.map((row) => row.tenantId)),
          texts(rows.map((row) => row.why)),
          now,
        ],
      )
    },
  }
}

interface KeyRow {
  readonly endpoint_id: string
  readonly scheduled_for: number
}

interface RunStateRow extends KeyRow {
  readonly status: string
  readonly reason: string | null
  readonly fence: number
  readonly attempts: number
  readonly started_at: number | null
  readonly overlap_lease: number | null
  readonly source: string
  readonly period_id: string
}

const runStateOf = (row: RunStateRow): RunState => ({
  ...keyOf(row),
  status: row.status,
  reason: row.reason,
  fence: row.fence,
  attempts: row.attempts,
  startedAt: row.started_at,
  overlapLease: row.overlap_lease,
  source: row.source as RunSource,
  periodId: row.period_id,
})

const keyOf = (row: KeyRow): TakenRun => ({
  endpointId: row.endpoint_id,
  scheduledFor: row.scheduled_for,
})
const keysOf = (runs: readonly TakenRun[]): [string, string] => [
  texts(runs.map(({ endpointId }) => endpointId)),
  numbers(runs.map(({ scheduledFor }) => scheduledFor)),
]

const plansOf = (rows: readonly PlanRow[]): Plan[] => rows.map(planOf)

/** Where a plan was not locked, it is somebody else's at the moment, or gone for good. */
async function lockFree(open: OpenTransaction, ids: readonly string[]): Promise<FreePlans> {
  const { rows } = await open.prepared<PlanRow>('lock_free_plans', lockFreePlans, [texts(ids)])
  const plans = plansOf(rows)
  if (plans.length === ids.length) return { plans, busy: new Set() }
  const locked = new Set(plans.map(({ endpointId }) => endpointId))
  const others = ids.filter((id) => !locked.has(id))
  const text = 'SELECT endpoint_id FROM plans WHERE endpoint_id = ANY($1::text[])'
  const left = await open.all<Pick<KeyRow, 'endpoint_id'>>(text, [texts(others)])
  return { plans, busy: new Set(left.map(({ endpoint_id }) => endpoint_id)) }
}

async function putAll(open: OpenTransaction, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return
  const rows = plans.map(planRow)
  const values = putColumns.map((name) =>
    textColumns.has(name)
      ? texts(rows.map((row) => row[name] as string | null))
      : numbers(rows.map((row) => row[name] as number | null)),
  )
  await open.prepared('put_plans', putPlans, values)
}

async function startRuns(
  open: OpenTransaction,
  runs: readonly ClaimedRun[],
  owner: string,
): Promise<boolean[]> {
  const fresh = runs.filter(({ replaces }) => replaces === 'nothing')
  const taken = runs.filter(({ replaces }) => replaces !== 'nothing')
  const ours = new Set<string>()
  if (fresh.length > 0) {
    const { count } = await open.prepared('insert_runs', insertRuns, [
      ...keysOf(fresh),
      texts(fresh.map(({ tenantId }) => tenantId)),
      texts(fresh.map(({ periodId }) => periodId)),
      texts(fresh.map(({ source }) => source)),
      numbers(fresh.map(({ fence }) => fence)),
      numbers(fresh.map(({ attempts }) => attempts)),
      texts(fresh.map(({ context }) => JSON.stringify(context))),
      numbers(fresh.map(({ overlapping, leaseUntil }) => (overlapping ? leaseUntil : null))),
      owner,
      open.now,
    ])
    const made = count === fresh.length ? fresh : await madeOf(open, fresh, owner)
    for (const { endpointId } of made) ours.add(endpointId)
  }
  if (taken.length > 0) {
    const { rows } = await open.prepared<KeyRow>('take_runs', takeRuns, [
      ...keysOf(taken),
      numbers(taken.map(({ fence }) => fence)),
      numbers(taken.map(({ attempts }) => attempts)),
      numbers(taken.map(({ overlapping, leaseUntil }) => (overlapping ? leaseUntil : null))),
      texts(taken.map(({ replaces }) => replaces)),
      owner,
      open.now,
    ])
    for (const { endpoint_id } of rows) ours.add(endpoint_id)
  }
  return runs.map(({ endpointId }) => ours.has(endpointId))
}

/** Some rows were there before: which are ours, by owner and by the moment of this claim. */
async function madeOf(
  open: OpenTransaction,
  runs: readonly ClaimedRun[],
  owner: string,
): Promise<TakenRun[]> {
  const rows = await open.all<KeyRow>(
    `SELECT r.endpoint_id, r.scheduled_for FROM unnest($1::text[], $2::bigint[], $3::bigint[])
       AS u(endpoint_id, scheduled_for, fence)
     JOIN runs r ON r.endpoint_id = u.endpoint_id AND r.scheduled_for = u.scheduled_for
       AND r.fence = u.fence
     WHERE r.owner = $4 AND r.claimed_at = $5 AND r.status = 'running'`,
    [...keysOf(runs), numbers(runs.map(({ fence }) => fence)), owner, open.now],
  )
  return rows.map(keyOf)
}

async function endRuns(open: OpenTransaction, runs: readonly EndedRow[]): Promise<void> {
  const running = runs.filter(({ wasRunning }) => wasRunning)
  const made = runs.filter(({ wasRunning }) => !wasRunning)
  if (running.length > 0) {
    await open.prepared('end_running', endRunning, [
      ...keysOf(running),
      texts(running.map(({ status }) => status)),
      texts(running.map(({ reason }) => reason)),
      texts(running.map(({ error }) => (error === null ? null : JSON.stringify({ error })))),
      open.now,
    ])
  }
  if (made.length > 0) {
    await open.prepared('insert_ended', insertEnded, [
      ...keysOf(made),
      texts(made.map(({ tenantId }) => tenantId)),
      texts(made.map(({ periodId }) => periodId)),
      texts(made.map(({ source }) => source)),
      texts(made.map(({ status }) => status)),
      texts(made.map(({ reason }) => reason)),
      texts(made.map(endedContext)),
      open.now,
    ])
  }
}

async function writeAll(
  open: OpenTransaction,
  outcomes: readonly WrittenOutcome[],
  bodyOf: StoredBodyOf,
): Promise<void> {
  await open.prepared('write_outcomes', writeOutcomes, [
    ...keysOf(outcomes),
    texts(outcomes.map(({ status }) => status)),
    texts(outcomes.map(({ reason }) => reason)),
    numbers(outcomes.map(({ startedAt }) => startedAt)),
    numbers(outcomes.map(({ endedAt }) => endedAt)),
    numbers(outcomes.map(({ attempts }) => attempts)),
    texts(outcomes.map(outcomeText)),
    bytes(outcomes.map(bodyOf)),
    numbers(outcomes.map(({ fence }) => fence)),
  ])
}
