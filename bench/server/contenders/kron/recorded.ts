import { setTimeout } from 'node:timers/promises'
import type { Store } from '../../../../packages/server/dist/store/index.js'

/** Resolves when each run of the tenants has its end in the store. */
export async function untilRecorded(
  store: Store,
  tenantIds: readonly string[],
  dueAt: number,
  isBusy: () => boolean,
): Promise<void> {
  while (Date.now() < dueAt || isBusy()) await setTimeout(10)
  for (const tenantId of tenantIds) {
    while (!(await isRecorded(store, tenantId))) await setTimeout(50)
  }
}

async function isRecorded(store: Store, tenantId: string): Promise<boolean> {
  const open = await store.tenant(tenantId, (rows) =>
    rows.runs.list({ limit: 1, after: null, status: ['pending', 'running'] }),
  )
  const { runs } = await store.tenant(tenantId, (rows) => rows.tenant.usage())
  return open.items.length === 0 && runs > 0
}
