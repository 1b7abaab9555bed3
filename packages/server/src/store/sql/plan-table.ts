import type { Plan } from '../../domain/index.js'
import type { PlanRows } from '../tenant-transaction.js'
import { lockPlansInOrder } from './lock-plans.js'
import { type PlanRow, planColumnNames, planRow, selectedPlan } from './plan-row.js'
import { type RunKeyRow, runKeyOf } from './run-row.js'
import type { Sql, SqlValue } from './sql.js'

const places = planColumnNames.map((_, index) => `$${index + 1}`)
const assignments = planColumnNames.map((name, index) => `${name} = ${places[index]}`)

export async function insertPlan(sql: Sql, plan: Plan): Promise<void> {
  const text = `INSERT INTO plans (${selectedPlan}) VALUES (${places.join(', ')})`
  await sql.run(text, valuesOf(planRow(plan)))
}

/** Deletes plans, and what the learner remembers of their endpoints. The caller has locked the plans. */
export async function deletePlans(
  sql: Sql,
  condition: string,
  parameters: readonly SqlValue[],
): Promise<void> {
  for (const table of ['memories', 'habits', 'plans']) {
    await sql.run(`DELETE FROM ${table} WHERE ${condition}`, parameters)
  }
}

export function valuesOf(row: PlanRow): SqlValue[] {
  return planColumnNames.map((name) => row[name])
}

export function planTable(sql: Sql, tenantId: string, wakeFor: (plan: Plan) => void): PlanRows {
  const ofJob = `tenant_id = $1 AND endpoint_id IN
    (SELECT id FROM endpoints WHERE tenant_id = $1 AND job_id = $2 AND archived_at IS NULL)`
  return {
    put: async (plan) => {
      const text = `UPDATE plans SET ${assignments.join(', ')}
        WHERE endpoint_id = $1 AND tenant_id = $2`
      await sql.run(text, valuesOf(planRow({ ...plan, tenantId })))
      wakeFor(plan)
    },
    suspend: async (jobId, reason) => {
      await lockPlansInOrder(sql, ofJob, [tenantId, jobId])
      // Not of the beginning: it may have waited for the plans, and what is sent is sent.
      const now = await sql.time()
      await sql.run(`UPDATE plans SET ${suspended} WHERE ${ofJob}`, [tenantId, jobId, now])
      const taken = await sql.all<RunKeyRow>(
        `UPDATE runs SET status = 'cancelled', reason = $4, ended_at = $3, overlap_lease = NULL
         WHERE ${ofJob} AND scheduled_for > $3 AND status = 'running'
         RETURNING endpoint_id, scheduled_for`,
        [tenantId, jobId, now, reason],
      )
      return taken.map(runKeyOf)
    },
    unsuspend: async (jobId) => {
      await lockPlansInOrder(sql, ofJob, [tenantId, jobId])
      // Planned like the end of a pause: a worker makes the plan when it wakes the endpoint.
      await sql.run(
        `UPDATE plans SET suspended = 0,
           next_run_at = CASE WHEN held_for IS NULL THEN $3 ELSE next_run_at END,
           source = CASE WHEN held_for IS NULL THEN 'paused' ELSE source END,
           wake_kind = CASE WHEN held_for IS NULL THEN 'waiting' ELSE wake_kind END,
           wake_at = CASE WHEN held_for IS NULL THEN $3 ELSE wake_at END
         WHERE ${ofJob}`,
        [tenantId, jobId, sql.now],
      )
    },
  }
}

/**
 * A run that is under way keeps its lease; its end finds the endpoint suspended. One that was
 * claimed for later than `$3` lets go of it, under a fence that its worker does not know. One that
 * was asked for runs all the same.
 */
const suspended = suspension()

function suspension(): string {
  const isUnderWay = 'held_for <= $3'
  const isAhead = 'held_for > $3'
  const unlessUnderWay = (column: string, value: string): string =>
    `${column} = CASE WHEN ${isUnderWay} THEN ${column} ELSE ${value} END`
  return [
    'suspended = 1',
    `fence = CASE WHEN ${isAhead} THEN fence + 1 ELSE fence END`,
    ...['held_for', 'held_source', 'lease_until', 'deliveries', 'next_run_at', 'period_id'].map(
      (column) => unlessUnderWay(column, 'NULL'),
    ),
    unlessUnderWay('wake_at', 'requested_at'),
    unlessUnderWay('wake_kind', `'due'`),
  ].join(', ')
}
