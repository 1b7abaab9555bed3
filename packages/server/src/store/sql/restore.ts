import type { Plan } from '../../domain/index.js'
import type { Restored } from '../system-transaction.js'
import { type PlanRow, planColumnNames, planOf, planRow, selectedPlan } from './plan-row.js'
import { valuesOf } from './plan-table.js'
import type { Sql } from './sql.js'

const batch = 500
const assignments = planColumnNames.map((name, index) => `${name} = $${index + 1}`).join(', ')

/** Inside of one transaction: dying in it leaves the backup as it was. */
export async function restore(sql: Sql, change: (plan: Plan) => Plan): Promise<Restored> {
  const runs = await sql.run(
    `UPDATE runs SET status = 'cancelled', reason = 'restored', ended_at = $1, overlap_lease = NULL
     WHERE status IN ('pending', 'running')`,
    [sql.now],
  )
  let endpoints = 0
  for (let after = ''; ; ) {
    const rows = await sql.all<PlanRow>(
      `SELECT ${selectedPlan} FROM plans WHERE endpoint_id > $1 ORDER BY endpoint_id LIMIT $2`,
      [after, batch],
    )
    for (const row of rows) {
      const text = `UPDATE plans SET ${assignments} WHERE endpoint_id = $1`
      await sql.run(text, valuesOf(planRow(change(planOf(row)))))
    }
    endpoints += rows.length
    if (rows.length < batch) return { endpoints, runs }
    after = rows.at(-1)!.endpoint_id
  }
}
