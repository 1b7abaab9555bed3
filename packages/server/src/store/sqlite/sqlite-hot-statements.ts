import type Database from 'better-sqlite3'
import { monthOf, type Plan, type Quotas, type SystemQuotas } from '../../domain/index.js'
import type { ClaimedRun } from '../claim.js'
import { newAudits } from '../sql/audit-table.js'
import { takenText } from '../sql/claim-transaction.js'
import { insertOne } from '../sql/columns.js'
import { type EndpointRow, endpointOf } from '../sql/endpoint-table.js'
import type {
  HotStatements,
  NextWakes,
  StoredBodyOf,
  WrittenOutcome,
} from '../sql/hot-statements.js'
import { type StoredMemoryRow, selectMemories } from '../sql/memory-row.js'
import { changedPlanColumns, type PlanRow, planOf, planRow, selectedPlan } from '../sql/plan-row.js'
import {
  type Claiming,
  endedRuns,
  outcomeText,
  overlapLeaseOf,
  type RunKeyRow,
  type RunStateRow,
  resultOf,
  runKeyOf,
  runStateOf,
  selectedState,
  startedRuns,
} from '../sql/run-row.js'
import { newSessions } from '../sql/session-table.js'

const insertStarted = insertOne('runs', startedRuns, () => '?')
const insertEnded = insertOne('runs', endedRuns, () => '?')
const insertSession = insertOne('planner_sessions', newSessions, () => '?')
const insertAudit = insertOne('audit', newAudits, () => '?')
const keyed = 'endpoint_id = ? AND scheduled_for = ?'

/** A prepared statement a row: without a server in between nothing is gained by batches. */
const texts = {
  due: `SELECT ${selectedPlan} FROM plans
    WHERE wake_at <= ? AND (wake_kind = 'due' OR wake_at <= ?)
      AND tenant_id NOT IN (SELECT value FROM json_each(?))
    ORDER BY wake_at LIMIT ?`,
  plan: `SELECT ${selectedPlan} FROM plans WHERE endpoint_id = ?`,
  endpoint: 'SELECT * FROM endpoints WHERE id = ?',
  quotas: 'SELECT quotas FROM tenants WHERE tenant_id = ?',
  used: `SELECT coalesce(sum(runs), 0) AS runs FROM usage
    WHERE tenant_id = ? AND month = ?`,
  startRun: insertStarted.text,
  takeRun: `UPDATE runs SET status = 'running', fence = ?, owner = ?, claimed_at = ?,
      attempts = ?, overlap_lease = ?
    WHERE ${keyed} AND status = ?`,
  endRun: `UPDATE runs SET status = ?, reason = ?, ended_at = ?, result = ?
    WHERE ${keyed} AND status IN ('pending', 'running')`,
  insertEnded: insertEnded.text,
  replaceRuns: `UPDATE runs SET status = 'cancelled', reason = 'replaced', ended_at = ?,
      overlap_lease = NULL
    WHERE endpoint_id = ? AND overlap_lease IS NOT NULL AND scheduled_for <> ?
    RETURNING endpoint_id, scheduled_for`,
  putPlan: `UPDATE plans SET ${changedPlanColumns.map((name) => `${name} = ?`).join(', ')}
    WHERE endpoint_id = ?`,
  countRuns: `INSERT INTO usage (tenant_id, month, shard, runs, ai_calls, ai_tokens)
    VALUES (?, ?, 0, ?, 0, 0)
    ON CONFLICT (tenant_id, month, shard) DO UPDATE SET runs = runs + excluded.runs`,
  systemUsed: 'SELECT coalesce(sum(runs), 0) AS runs FROM system_usage WHERE month = ?',
  countSystem: `INSERT INTO system_usage (month, shard, runs, ai_calls, ai_tokens)
    VALUES (?, 0, ?, 0, 0) ON CONFLICT (month, shard) DO UPDATE SET runs = runs + excluded.runs`,
  insertClaim: 'INSERT INTO claims (claim_id, at, taken) VALUES (?, ?, ?)',
  endLost: `UPDATE runs SET status = 'cancelled', reason = 'worker_lost', ended_at = ?,
      overlap_lease = NULL
    WHERE (endpoint_id, scheduled_for) IN (SELECT endpoint_id, scheduled_for FROM runs
      WHERE overlap_lease <= ? ORDER BY overlap_lease LIMIT ?)
    RETURNING tenant_id, endpoint_id, scheduled_for`,
  nextWakes: `SELECT (SELECT min(at) FROM (
        SELECT min(wake_at) AS at FROM plans WHERE wake_at IS NOT NULL
        UNION ALL SELECT min(overlap_lease) + ? FROM runs WHERE overlap_lease IS NOT NULL)
      ) AS nextWakeAt,
      (SELECT wake_at FROM plans WHERE wake_at IS NOT NULL
        ORDER BY wake_at LIMIT 1 OFFSET ? - 1) AS nextCrowdAt`,
  runState: `SELECT ${selectedState} FROM runs r WHERE ${keyed}`,
  writeOutcome: `UPDATE runs SET status = ?, reason = ?, started_at = ?, ended_at = ?,
      attempts = ?, result = ?, body = ?, overlap_lease = NULL WHERE ${keyed}`,
  addStart: `UPDATE runs SET started_at = ?, attempts = ?
    WHERE ${keyed} AND status = 'cancelled' AND fence = ?`,
  releaseRun: `DELETE FROM runs
    WHERE ${keyed} AND source NOT IN ('manual', 'replay')`,
  requestAgain: `UPDATE runs SET status = 'pending', owner = NULL, claimed_at = NULL,
      overlap_lease = NULL WHERE ${keyed}`,
  memory: `${selectMemories} WHERE m.endpoint_id = ?`,
  putMemory: 'UPDATE memories SET numbers = ? WHERE endpoint_id = ?',
  insertMemory: 'INSERT INTO memories (endpoint_id, tenant_id, numbers) VALUES (?, ?, ?)',
  putHabits: `INSERT INTO habits (endpoint_id, tenant_id, counts) VALUES (?, ?, ?)
    ON CONFLICT (endpoint_id) DO UPDATE SET counts = excluded.counts`,
  insertSession: insertSession.text,
  insertAudit: insertAudit.text,
  ask: `INSERT INTO attention (endpoint_id, tenant_id, at, why) VALUES (?, ?, ?, ?)
    ON CONFLICT (endpoint_id) DO UPDATE SET why = excluded.why`,
}

export type PreparedHot = Readonly<Record<keyof typeof texts, Database.Statement<unknown[]>>>

export function prepareHot(database: Database.Database): PreparedHot {
  const prepared = Object.entries(texts).map(([name, text]) => [name, database.prepare(text)])
  return Object.fromEntries(prepared) as PreparedHot
}

export function sqliteHotStatements(
  prepared: PreparedHot,
  now: number,
  { runsPerMonth }: SystemQuotas,
): HotStatements {
  const month = monthOf(now)
  return {
    now,
    lockDue: async (until, limit, without) => {
      const rows = prepared.due.all(until, now, JSON.stringify(without), limit)
      return (rows as PlanRow[]).map(planOf)
    },
    lockPlans: async (ids) => plansOf(prepared, ids),
    // The only writer finds nobody in its way.
    lockFreePlans: async (ids) => ({ plans: plansOf(prepared, ids), busy: new Set() }),
    readEndpoints: async (ids) =>
      ids.flatMap((id) => {
        const row = prepared.endpoint.get(id) as EndpointRow | undefined
        return row === undefined ? [] : [endpointOf(row)]
      }),
    runsLeft: async (tenantIds) => runsLeft(prepared, tenantIds, month),
    // The only writer counts alone.
    systemRunsLeft: async () => {
      if (runsPerMonth === null) return null
      return runsPerMonth - (prepared.systemUsed.get(month) as { runs: number }).runs
    },
    startRuns: async (runs, { owner }) =>
      runs.map((run) => startRun(prepared, run, { owner, now })),
    endRuns: async (runs) => {
      for (const run of runs) {
        const { endpointId, scheduledFor, status, reason } = run
        if (run.wasRunning) {
          prepared.endRun.run(status, reason, now, resultOf(run), endpointId, scheduledFor)
        } else {
          prepared.insertEnded.run(...insertEnded.values(run, { now }))
        }
      }
    },
    replaceRuns: async (started) =>
      started.flatMap(({ endpointId, scheduledFor }) =>
        (prepared.replaceRuns.all(now, endpointId, scheduledFor) as RunKeyRow[]).map(runKeyOf),
      ),
    putPlans: async (plans) => putPlans(prepared, plans),
    countRuns: async (counts) => {
      let all = 0
      for (const [tenantId, runs] of counts) {
        prepared.countRuns.run(tenantId, month, runs)
        all += runs
      }
      if (all > 0) prepared.countSystem.run(month, all)
    },
    insertClaim: async (claimId, taken) => {
      prepared.insertClaim.run(claimId, now, takenText(taken))
    },
    endLostRuns: async (until, limit) => {
      const rows = prepared.endLost.all(now, until, limit) as (RunKeyRow & { tenant_id: string })[]
      return rows.map((row) => ({ ...runKeyOf(row), tenantId: row.tenant_id }))
    },
    nextWakes: async (crowd, graceMs) => prepared.nextWakes.get(graceMs, crowd) as NextWakes,
    lockRuns: async () => {},
    readRuns: async (keys) =>
      keys.flatMap(({ endpointId, scheduledFor }) => {
        const row = prepared.runState.get(endpointId, scheduledFor) as RunStateRow | undefined
        return row === undefined ? [] : [runStateOf(row)]
      }),
    writeOutcomes: async (outcomes, bodyOf) => {
      for (const outcome of outcomes) writeOutcome(prepared, outcome, bodyOf)
    },
    addStarts: async (outcomes) => {
      for (const { endpointId, scheduledFor, startedAt, attempts, fence } of outcomes) {
        prepared.addStart.run(startedAt, attempts, endpointId, scheduledFor, fence)
      }
    },
    releaseRuns: async (outcomes) => {
      for (const { endpointId, scheduledFor } of outcomes) {
        const { changes } = prepared.releaseRun.run(endpointId, scheduledFor)
        if (changes === 0) prepared.requestAgain.run(endpointId, scheduledFor)
      }
    },
    readMemories: async (ids) =>
      ids.flatMap((id) => {
        const row = prepared.memory.get(id) as StoredMemoryRow | undefined
        return row === undefined ? [] : [row]
      }),
    putMemories: async (rows) => {
      for (const { endpointId, tenantId, numbers, habits } of rows) {
        const { changes } = prepared.putMemory.run(numbers, endpointId)
        if (changes === 0) prepared.insertMemory.run(endpointId, tenantId, numbers)
        if (habits !== null) prepared.putHabits.run(endpointId, tenantId, habits)
      }
    },
    addSessions: async (sessions) => {
      for (const session of sessions) {
        prepared.insertSession.run(...insertSession.values(session, null))
      }
    },
    addAudits: async (entries) => {
      for (const entry of entries) {
        prepared.insertAudit.run(...insertAudit.values(entry, { now }))
      }
    },
    askAttention: async (rows) => {
      for (const { endpointId, tenantId, why } of rows) {
        prepared.ask.run(endpointId, tenantId, now, why)
      }
    },
  }
}

function plansOf(prepared: PreparedHot, ids: readonly string[]): Plan[] {
  return ids.flatMap((id) => {
    const row = prepared.plan.get(id) as PlanRow | undefined
    return row === undefined ? [] : [planOf(row)]
  })
}

function runsLeft(
  prepared: PreparedHot,
  tenantIds: readonly string[],
  month: string,
): Map<string, number> {
  const left = new Map<string, number>()
  for (const tenantId of tenantIds) {
    const row = prepared.quotas.get(tenantId) as { quotas: string } | undefined
    if (row === undefined) continue
    const { runsPerMonth } = JSON.parse(row.quotas) as Quotas
    if (runsPerMonth === null) continue
    const { runs } = prepared.used.get(tenantId, month) as { runs: number }
    left.set(tenantId, runsPerMonth - runs)
  }
  return left
}

function startRun(prepared: PreparedHot, run: ClaimedRun, by: Claiming): boolean {
  if (run.replaces === 'nothing') {
    return prepared.startRun.run(...insertStarted.values(run, by)).changes === 1
  }
  const { endpointId, scheduledFor, fence, attempts, replaces } = run
  const key = [endpointId, scheduledFor, replaces]
  const values = [fence, by.owner, by.now, attempts, overlapLeaseOf(run)]
  return prepared.takeRun.run(...values, ...key).changes === 1
}

function putPlans(prepared: PreparedHot, plans: readonly Plan[]): void {
  for (const plan of plans) {
    const row = planRow(plan)
    const values = changedPlanColumns.map((name) => row[name])
    prepared.putPlan.run(...values, plan.endpointId)
  }
}

function writeOutcome(prepared: PreparedHot, outcome: WrittenOutcome, bodyOf: StoredBodyOf): void {
  const { endpointId, scheduledFor } = outcome
  prepared.writeOutcome.run(
    outcome.status,
    outcome.reason,
    outcome.startedAt,
    outcome.endedAt,
    outcome.attempts,
    outcomeText(outcome),
    bodyOf(outcome),
    endpointId,
    scheduledFor,
  )
}
