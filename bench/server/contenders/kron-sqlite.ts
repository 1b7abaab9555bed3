import { join } from 'node:path'
import { openSqliteStore } from '@kron/server'
import type { CreateContender } from '../contender.ts'
import { addEndpoints } from './kron/endpoints.ts'
import { untilRecorded } from './kron/recorded.ts'
import { startWorker } from './kron/worker.ts'

export const create: CreateContender = async ({ folder }) => {
  const store = openSqliteStore({ path: join(folder, 'kron.db'), now: Date.now })
  await store.migrate()
  let round = { tenantId: '', dueAt: 0 }
  let started: ReturnType<typeof startWorker> | undefined
  return {
    async prepare(assignment) {
      const tenantId = await addEndpoints(store, assignment)
      round = { tenantId, dueAt: assignment.dueAt }
    },
    async run() {
      started = startWorker(store)
      const { worker } = started
      await untilRecorded(store, round.tenantId, round.dueAt, () => worker.inFlight > 0)
    },
    rest: async () => started?.stop(),
  }
}
