import { forUpdate, type Sql, type SqlValue } from './sql.js'

/**
 * Locks the plans that a statement is about to change, in the order in which outcomes lock theirs.
 * A statement alone takes rows as it finds them, and two that wait for each other fail again and
 * again where workers are busy. SQLite has one writer anyway.
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
