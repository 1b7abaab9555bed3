import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'pg'

/** Rare enough not to disturb who is measured, and often enough for a figure in ms. */
const everyMs = 50

/** Resolves when the query, which counts what has not ended, gives 0. */
export async function untilNoneLeft(client: Client, query: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ count: number }>(query)
    if (rows[0]!.count === 0) return
    await wait(everyMs)
  }
}
