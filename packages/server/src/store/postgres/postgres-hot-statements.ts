import type { SystemQuotas } from '../../domain/index.js'
import { alreadySettled, takenText } from '../sql/claim-transaction.js'
import { type EndpointRow, endpointOf } from '../sql/endpoint-table.js'
import type { HotStatements, NextWakes } from '../sql/hot-statements.js'
import { texts } from './array-literal.js'
import type { OpenTransaction } from './connections.js'
import { memoryStatements } from './postgres-memories.js'
import { planStatements } from './postgres-plans.js'
import { runStatements } from './postgres-runs.js'
import { countRuns, runsLeft, systemRunsLeft } from './postgres-usage.js'

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
    ...planStatements(open),
    ...runStatements(open),
    ...memoryStatements(open),
    readEndpoints: async (ids) => {
      const text = 'SELECT * FROM endpoints WHERE id = ANY($1::text[])'
      return (await open.all<EndpointRow>(text, [texts(ids)])).map(endpointOf)
    },
    runsLeft: (tenantIds) => runsLeft(open, tenantIds),
    systemRunsLeft: () => systemRunsLeft(open, systemQuotas),
    countRuns: (counts) => countRuns(open, counts, shard),
    insertClaim: async (claimId, taken) => {
      const text = `INSERT INTO claims (claim_id, at, taken) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING`
      if ((await open.run(text, [claimId, now, takenText(taken)])) === 0) {
        throw alreadySettled(claimId)
      }
    },
    nextWakes: async (crowd, graceMs) => {
      const { rows } = await open.prepared<NextWakes>('next_wakes', nextWakes, [crowd, graceMs])
      return rows[0]!
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
