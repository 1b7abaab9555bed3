import { type Band, type Look, learn } from './learner.js'
import type { Memory } from './memory.js'
import { memoryOf, storedMemory } from './stored-memory.js'
import { type Times, wantedRun } from './wanted-run.js'

/**
 * The next looks of the learner after one at `lastAt`, if they find what they expect: no change, and
 * a target that stays as it is. null of `times` is an interval.
 */
export function comingLooks(
  remembered: Memory,
  band: Band,
  times: Times | null,
  lastAt: number,
  count: number,
): readonly number[] {
  const memory = memoryOf(storedMemory({ ...remembered, hasNewCounts: true }))!
  const kind: Look['kind'] = memory.outageAt < 0 ? 'ok' : 'down'
  const looks: number[] = []
  for (let at = lastAt; looks.length < count; ) {
    // The last look was paid for when it was made.
    const isPaid = looks.length > 0
    const wish = learn(memory, { at, kind, changed: false, retryAfterMs: null }, band, isPaid)
    const wanted = wantedRun(wish, at, times, band)
    const next = wanted === null ? (times?.from(at + 1) ?? null) : atOf(wanted, at)
    if (next === null) break
    looks.push(next)
    at = next
  }
  return looks
}

const atOf = (wanted: NonNullable<ReturnType<typeof wantedRun>>, from: number): number =>
  wanted.kind === 'time' ? wanted.at : from + wanted.intervalMs
