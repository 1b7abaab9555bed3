import {
  monthEnd,
  monthOf,
  type SystemQuotas,
  type SystemUsage,
  type Usage,
} from '../../domain/index.js'
import type { SystemUsageRows } from '../tenant-transaction.js'
import { lockPlansInOrder } from './lock-plans.js'
import { first, type Sql } from './sql.js'

/**
 * What all tenants together have used of a month.
 *
 * It is counted always, whether there is a quota or not: one that is set in the middle of a month is
 * right from its first run on, also if it was set, taken away and set again, and if a process without
 * it works beside those that have it. A sum over the tenants' own counters would take longer the more
 * of them there are, and grow smaller when one is deleted. As theirs, the counter is spread over a
 * few rows, so that workers don't wait for each other to add to it, and reading is a sum of those.
 *
 * Only where there is a quota do those who count against it come one after the other: by a lock that
 * PostgreSQL gives back when the transaction ends, however that is. Who dies before the commit has
 * counted nothing and started nothing; who dies after it has done both.
 */

/** Any number, the same in every process, and not that of migrations. */
const countingLock = 7_077_002

export function systemUsageTable(sql: Sql, quotas: SystemQuotas): SystemUsageRows {
  return {
    quotas,
    usage: () => systemUsage(sql),
    lockUsage: () => lockSystemUsage(sql),
  }
}

/** A statement of its own: what is read by the next one is what others have committed by then. */
export async function lockSystemUsage(sql: Sql): Promise<SystemUsage> {
  if (sql.dialect === 'postgres') {
    await sql.all('SELECT pg_advisory_xact_lock($1)', [countingLock])
  }
  return systemUsage(sql)
}

export async function systemUsage(sql: Sql): Promise<SystemUsage> {
  const month = monthOf(sql.now)
  const used = await first<{ runs: number; ai_calls: number; ai_tokens: number }>(
    sql,
    `SELECT CAST(coalesce(sum(runs), 0) AS bigint) AS runs,
       CAST(coalesce(sum(ai_calls), 0) AS bigint) AS ai_calls,
       CAST(coalesce(sum(ai_tokens), 0) AS bigint) AS ai_tokens
     FROM system_usage WHERE month = $1`,
    [month],
  )
  return {
    month,
    runs: used?.runs ?? 0,
    aiCalls: used?.ai_calls ?? 0,
    aiTokens: used?.ai_tokens ?? 0,
  }
}

/** The last lock that a transaction takes: everybody adds to the same few rows. */
export async function countSystemUsage(
  sql: Sql,
  { aiCalls, aiTokens }: Pick<Usage, 'aiCalls' | 'aiTokens'>,
): Promise<void> {
  await sql.run(
    `INSERT INTO system_usage (month, shard, runs, ai_calls, ai_tokens)
     VALUES ($1, 0, 0, $2, $3)
     ON CONFLICT (month, shard) DO UPDATE SET
       ai_calls = system_usage.ai_calls + excluded.ai_calls,
       ai_tokens = system_usage.ai_tokens + excluded.ai_tokens`,
    [monthOf(sql.now), aiCalls, aiTokens],
  )
}

/** All of them wake when the month ends, and are found by that. */
export async function endSystemHolds(sql: Sql): Promise<number> {
  const waiting = `wake_at = $1 AND source = 'system-quota' AND held_for IS NULL AND suspended = 0`
  const reset = monthEnd(sql.now)
  await lockPlansInOrder(sql, waiting, [reset])
  return sql.run(
    `UPDATE plans SET next_run_at = $2, wake_at = $2, wake_kind = 'waiting' WHERE ${waiting}`,
    [reset, sql.now],
  )
}
