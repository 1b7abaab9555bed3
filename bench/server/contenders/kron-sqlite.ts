import { join } from 'node:path'
import { openSqliteStore } from '../../../packages/server/dist/store/sqlite/sqlite-store.js'
import type { CreateContender } from '../contender.ts'
import { roundsOn } from './kron/rounds.ts'

export const create: CreateContender = async ({ folder }) => {
  const store = openSqliteStore({ path: join(folder, 'kron.db'), now: Date.now })
  await store.migrate()
  return roundsOn(store)
}
