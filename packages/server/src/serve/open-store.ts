import { mkdir } from 'node:fs/promises'
import type { Clock } from '@kron/runtime'
import { openPostgresStore, openSqliteStore, type Store } from '../store/index.js'
import { isPostgres, type ServeOptions } from './serve-options.js'

/** The store of this process, with its schema up to date. */
export async function openStore(
  { database, databaseConnections, folder }: ServeOptions,
  clock: Clock,
): Promise<Store> {
  // Keys and data are for nobody else on the machine.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const store = isPostgres(database)
    ? openPostgresStore({ url: database, connections: databaseConnections })
    : openSqliteStore({ path: database, now: () => clock.now().getTime() })
  try {
    await store.migrate()
    return store
  } catch (error) {
    await store.close().catch(() => undefined)
    throw error
  }
}
