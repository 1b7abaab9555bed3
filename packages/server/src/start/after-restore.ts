import type { Log } from '@kron/runtime'
import { restoredPlan } from '../scheduling/index.js'
import type { ServicePorts } from '../use-cases/index.js'

/**
 * The database comes from a backup: from now on this service answers for what it plans, and nothing
 * that was due before is sent, for it may have been sent already.
 */
export async function afterRestore(
  { store }: Pick<ServicePorts, 'store'>,
  log: Log,
): Promise<void> {
  const { now, endpoints, runs } = await store.system(async (rows) => ({
    now: rows.now,
    ...(await rows.restore((plan) => restoredPlan(plan, rows.now))),
  }))
  log.info('restored', { endpoints, runs, since: new Date(now).toISOString() })
}
