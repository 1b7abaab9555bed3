import { setTimeout } from 'node:timers/promises'
import type { Store } from '@kron/server'

/** Resolves when each run of the tenant has its end in the store. */
export async function untilRecorded(
  store: Store,
  tenantId: string,
  dueAt: number,
  isBusy: () => boolean,
): Promise<void> {
  while (Date.now() < dueAt || isBusy()) await setTimeout(10)
  for (;;) {
    const open = await store.tenant(tenantId, (rows) =>
      rows.runs.list({ limit: 1, after: null, status: ['pending', 'running'] }),
    )
    const due = await store.tenant(tenantId, (rows) => rows.tenant.usage())
    if (open.items.length === 0 && due.runs > 0) return
    await setTimeout(50)
  }
}
