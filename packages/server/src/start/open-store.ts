import { mkdir } from 'node:fs/promises'
import type { Clock } from '@kron/runtime'
import { noSystemQuotas } from '../domain/index.js'
import { openPostgresStore, openSqliteStore, type Store } from '../store/index.js'
import { type DataOptions, isPostgres } from './serve-options.js'
import { starting } from './start-error.js'

/** Keys and data are for nobody else on the machine. */
export function makeFolder({ folder }: DataOptions): Promise<void> {
  return starting('database', async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  })
}

/** The store of this process, with its schema up to date. */
export function openStore(
  options: DataOptions,
  clock: Clock,
  { hasWorker = false, systemQuotas = noSystemQuotas } = {},
): Promise<Store> {
  return starting('database', async () => {
    const { database, databaseConnections } = options
    const store = isPostgres(database)
      ? openPostgresStore({
          url: database,
          connections: databaseConnections,
          hasWorker,
          systemQuotas,
        })
      : openSqliteStore({ path: database, now: () => clock.now().getTime(), systemQuotas })
    try {
      await store.migrate()
      return store
    } catch (error) {
      await store.close().catch(() => undefined)
      throw error
    }
  })
}
