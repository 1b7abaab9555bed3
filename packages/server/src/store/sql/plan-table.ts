import type { Plan } from '../../domain/index.js'
import type { PlanRows } from '../tenant-transaction.js'
import { lockPlansInOrder } from './lock-plans.js'
import { type PlanRow, planColumns, planRow } from './plan-row.js'
import type { Sql, SqlValue } from './sql.js'

const places = planColumns.map((_, index) => `$${index + 1}`)
const assignments = planColumns.map((name, index) => `${name} = ${places[index]}`)

export async function insertPlan(sql: Sql, plan: Plan): Promise<void> {
  const text = `INSERT INTO plans (${planColumns.join(', ')}) VALUES (${places.join(', ')})`
  await sql.run(text, valuesOf(planRow(plan)))
}

export function valuesOf(row: PlanRow): SqlValue[] {
  return planColumns.map((name) => row[name])
}

export function planTable(sql: Sql, tenantId: string): PlanRows {
  return {
    put: async (plan) => {
      const text = `UPDATE plans SET ${assignments.join(', ')}
        WHERE endpoint_id = $1 AND tenant_id = $2`
      await sql.run(text, valuesOf(planRow({ ...plan, tenantId })))
    },
    setSuspended: async (jobId, suspended) => {
      const ofJob = `tenant_id = $1 AND endpoint_id IN
        (SELECT id FROM endpoints WHERE tenant_id = $1 AND job_id = $2 AND archived_at IS NULL)`
      // A run that is under way keeps its lease; its end finds the endpoint suspended. One that
      // was asked for runs all the same: within a JSON text the quotes can't be a reason's.
      const isIdle = `held_for IS NULL
        AND (adjustments IS NULL OR adjustments NOT LIKE '%"requested":%')`
      const change = suspended
        ? `suspended = 1, wake_at = CASE WHEN ${isIdle} THEN NULL ELSE wake_at END`
        : // Planned like the end of a pause: a worker makes the plan when it wakes the endpoint.
          `suspended = 0,
           next_run_at = CASE WHEN held_for IS NULL THEN ${sql.now} ELSE next_run_at END,
           source = CASE WHEN held_for IS NULL THEN 'paused' ELSE source END,
           wake_kind = CASE WHEN held_for IS NULL THEN 'waiting' ELSE wake_kind END,
           wake_at = CASE WHEN held_for IS NULL THEN ${sql.now} ELSE wake_at END`
      await lockPlansInOrder(sql, ofJob, [tenantId, jobId])
      await sql.run(`UPDATE plans SET ${change} WHERE ${ofJob}`, [tenantId, jobId])
    },
  }
}
