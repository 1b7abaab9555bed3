import { memoryOf } from '../../learner/index.js'
import type { MemoryRows } from '../tenant-transaction.js'
import { type StoredMemoryRow, selectMemories, storedMemoryOf } from './memory-row.js'
import { first, type Sql } from './sql.js'

export function memoryTable(sql: Sql, tenantId: string): MemoryRows {
  return {
    read: async (endpointId) => {
      const text = `${selectMemories} WHERE m.tenant_id = $1 AND m.endpoint_id = $2`
      const row = await first<StoredMemoryRow>(sql, text, [tenantId, endpointId])
      return row && memoryOf(storedMemoryOf(row))
    },
  }
}
