import type { Plan } from '../../domain/index.js'
import { type StoredMemory, storedMemory } from '../../learner/index.js'
import type { LearnedRun } from '../../scheduling/index.js'

/**
 * What the learner remembers of each endpoint, in two tables: the numbers change with each run, and
 * the habits, which are longer, only when a change was seen.
 */
export interface StoredMemoryRow {
  readonly endpoint_id: string
  readonly numbers: Uint8Array
  readonly counts: Uint8Array | null
}

export const selectMemories = `SELECT m.endpoint_id, m.numbers, h.counts FROM memories m
  LEFT JOIN habits h ON h.endpoint_id = m.endpoint_id`

export const storedMemoryOf = ({ numbers, counts }: StoredMemoryRow): StoredMemory => ({
  numbers,
  habits: counts,
})

/** A memory that is to be written, with the endpoint that it is of. */
export interface MemoryRow extends StoredMemory {
  readonly endpointId: string
  readonly tenantId: string
}

export function memoryRow({ endpointId, tenantId }: Plan, { memory }: LearnedRun): MemoryRow {
  return { endpointId, tenantId, ...storedMemory(memory) }
}
