import { monthOf, type Quotas, type SystemQuotas } from '../../domain/index.js'
import { lockSystemUsage } from '../sql/system-usage.js'
import { numbers, texts } from './array-literal.js'
import type { OpenTransaction } from './connections.js'

const tenantsUsed = `SELECT t.tenant_id, t.quotas, (SELECT coalesce(sum(u.runs), 0)::bigint
    FROM usage u WHERE u.tenant_id = t.tenant_id AND u.month = $2) AS runs
  FROM tenants t WHERE t.tenant_id = ANY($1::text[])`

/** One round trip; what all tenants have in common is locked last, when theirs are counted. */
const count = `WITH counted AS (
    INSERT INTO usage (tenant_id, month, shard, runs, ai_calls, ai_tokens)
    SELECT u.tenant_id, $3, $4, u.runs, 0, 0
    FROM unnest($1::text[], $2::bigint[]) AS u(tenant_id, runs) ORDER BY u.tenant_id
    ON CONFLICT (tenant_id, month, shard) DO UPDATE SET runs = usage.runs + excluded.runs
    RETURNING 1)
  INSERT INTO system_usage (month, shard, runs, ai_calls, ai_tokens)
  SELECT $3, $4, $5, 0, 0 FROM (SELECT count(*) FROM counted) AS all_of_them
  ON CONFLICT (month, shard) DO UPDATE SET runs = system_usage.runs + excluded.runs`

export async function runsLeft(
  open: OpenTransaction,
  tenantIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await open.prepared<{ tenant_id: string; quotas: string; runs: number }>(
    'runs_left',
    tenantsUsed,
    [texts(tenantIds), monthOf(open.now)],
  )
  const left = new Map<string, number>()
  for (const { tenant_id, quotas, runs } of rows) {
    const { runsPerMonth } = JSON.parse(quotas) as Quotas
    if (runsPerMonth !== null) left.set(tenant_id, runsPerMonth - runs)
  }
  return left
}

export async function systemRunsLeft(
  open: OpenTransaction,
  { runsPerMonth }: SystemQuotas,
): Promise<number | null> {
  if (runsPerMonth === null) return null
  return runsPerMonth - (await lockSystemUsage(open)).runs
}

export async function countRuns(
  open: OpenTransaction,
  counts: ReadonlyMap<string, number>,
  shard: number,
): Promise<void> {
  if (counts.size === 0) return
  const runs = [...counts.values()]
  await open.run(count, [
    texts([...counts.keys()]),
    numbers(runs),
    monthOf(open.now),
    shard,
    runs.reduce((sum, each) => sum + each, 0),
  ])
}
