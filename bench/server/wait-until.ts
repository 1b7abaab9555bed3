import { setTimeout as wait } from 'node:timers/promises'

/** Never early: timers may be, by a part of a millisecond. */
export async function waitUntil(instant: number): Promise<void> {
  for (let left = instant - Date.now(); left > 0; left = instant - Date.now()) await wait(left)
}
