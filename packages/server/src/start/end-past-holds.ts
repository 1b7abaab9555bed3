import type { Store } from '../store/index.js'

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
