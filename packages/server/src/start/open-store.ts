import { mkdir } from 'node:fs/promises'
import type { Clock, Log } from '@kron/runtime'
import { noSystemQuotas } from '../domain/index.js'
import { restoredPlan } from '../scheduling/index.js'
import type { Store } from '../store/index.js'
import { openPostgresStore } from '../store/postgres/postgres-store.js'
import { openSqliteStore } from '../store/sqlite/sqlite-store.js'
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

/**
 * A process is given the system's quotas when it starts. Where they leave room for runs now, because
 * they are higher or gone, endpoints that wait for the month's end are planned again at once; those
 * that find no room are put back by the claim. All in one transaction: dying in it leaves them
 * waiting, and the next start does it again.
 */
export async function endPastHolds(store: Store): Promise<void> {
  await store.system(async (rows) => {
    const { runsPerMonth } = rows.quotas
    if (runsPerMonth !== null && (await rows.usage()).runs >= runsPerMonth) return
    await rows.endSystemHolds()
  })
}

/**
 * The database comes from a backup: from now on this service answers for what it plans, and nothing
 * that was due before is sent, for it may have been sent already.
 */
export async function afterRestore(store: Store, log: Log): Promise<void> {
  const { now, endpoints, runs } = await store.system(async (rows) => ({
    now: rows.now,
    ...(await rows.restore((plan) => restoredPlan(plan, rows.now))),
  }))
  log.info('restored', { endpoints, runs, since: new Date(now).toISOString() })
}
