import { forUpdate, type Sql, type SqlValue } from './sql.js'

/**
 * Locks the plans that a statement is about to change, in the order in which everybody does.
 * A statement alone takes rows as it finds them, and two that wait for each other fail again and
 * again where workers are busy. SQLite has one writer anyway.
 *
 * Everybody locks in this order, and leaves out what he does not need:
 *
 *  1. the job
 *  2. plans, by the ids of their endpoints. The lock of a plan is the lock of its endpoint too: who
 *     changes the row of an endpoint has its plan, and nobody locks that row alone
 *  3. the turn to count against a quota of all tenants together, where there is one: who has it
 *     waits for no plan any more
 *  4. runs, and the secret that an endpoint names
 *  5. the tenant and its usage, which all have in common: as late and as short as can be
 *  6. the usage of all tenants together, which everybody has in common: last
 *
 * Claims and records take plans as they come, but wait for none of them.
 */
export async function lockPlansInOrder(
  sql: Sql,
  where: string,
  parameters: readonly SqlValue[],
): Promise<void> {
  if (sql.dialect === 'sqlite') return
  const ordered = `SELECT 1 FROM plans WHERE ${where} ORDER BY endpoint_id${forUpdate(sql)}`
  await sql.all(`SELECT count(*) FROM (${ordered}) AS locked`, parameters)
}
