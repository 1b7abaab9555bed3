import { storedBytes } from '../../learner/index.js'
import { auditColumns, newAudits } from '../sql/audit-table.js'
import type { HotStatements } from '../sql/hot-statements.js'
import { type MemoryRow, type StoredMemoryRow, selectMemories } from '../sql/memory-row.js'
import { newSessions, sessionColumns } from '../sql/session-table.js'
import { texts } from './array-literal.js'
import { insertOf } from './batch.js'
import type { OpenTransaction } from './connections.js'

const readMemories = `${selectMemories} WHERE m.endpoint_id = ANY($1::text[])`

/**
 * All blocks in one parameter, one after the other: as bytes they are a fraction of what an array of
 * them is as text.
 */
const put = (table: string, column: string, bytes: number): string =>
  `INSERT INTO ${table} (endpoint_id, tenant_id, ${column})
   SELECT u.id, u.tenant, substring($3::bytea FROM ((u.n - 1) * ${bytes} + 1)::int FOR ${bytes})
   FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS u(id, tenant, n) ORDER BY 1
   ON CONFLICT (endpoint_id) DO UPDATE SET ${column} = excluded.${column}`
const putMemories = put('memories', 'numbers', storedBytes.numbers)
const putHabits = put('habits', 'counts', storedBytes.habits)

function parameters(
  rows: readonly MemoryRow[],
  blockOf: (row: MemoryRow) => Uint8Array,
): [string, string, Buffer] {
  const ids = texts(rows.map(({ endpointId }) => endpointId))
  const tenants = texts(rows.map(({ tenantId }) => tenantId))
  return [ids, tenants, Buffer.concat(rows.map(blockOf))]
}

const insertSessions = insertOf('planner_sessions', sessionColumns, newSessions)
const insertAudits = insertOf('audit', auditColumns, newAudits)

type MemoryStatements = Pick<
  HotStatements,
  'readMemories' | 'putMemories' | 'addSessions' | 'addAudits'
>

/** Who writes these rows has locked the plans of their endpoints. */
export function memoryStatements(open: OpenTransaction): MemoryStatements {
  return {
    readMemories: async (ids) =>
      (await open.prepared<StoredMemoryRow>('read_memories', readMemories, [texts(ids)])).rows,
    putMemories: async (rows) => {
      const numbers = parameters(rows, (row) => row.numbers)
      await open.prepared('put_memories', putMemories, numbers)
      const changed = rows.filter(({ habits }) => habits !== null)
      if (changed.length === 0) return
      const habits = parameters(changed, (row) => row.habits!)
      await open.prepared('put_habits', putHabits, habits)
    },
    addSessions: async (sessions) => {
      await open.run(insertSessions.text, insertSessions.values(sessions, null))
    },
    addAudits: async (entries) => {
      await open.run(insertAudits.text, insertAudits.values(entries, open))
    },
  }
}
