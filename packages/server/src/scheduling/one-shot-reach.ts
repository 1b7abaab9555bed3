import { formatDuration } from '@kron/core'
import { instantText, type OneShotHint, type Plan } from '../domain/index.js'

/** What the Governor counts a one-shot from, and the least distance it keeps to that. */
export interface Reach {
  readonly since: number
  readonly minIntervalMs: number | null
}

/** A run under way will be the last run by the time at which the hint is looked at. */
export function reachOf(
  { held, lastRunAt, createdAt }: Pick<Plan, 'held' | 'lastRunAt' | 'createdAt'>,
  { minIntervalMs }: Pick<Reach, 'minIntervalMs'>,
): Reach {
  return { since: held?.scheduledFor ?? lastRunAt ?? createdAt, minIntervalMs }
}

/**
 * Why a one-shot will never be run, as the rest of a sentence about its time, or null. A hint that
 * ends before the run that it asks for asks for nothing: `wakeOf` drops it at its end, and until
 * then it would only keep the baseline from running. Every way in which a one-shot is given asks
 * here: people, planners, responses.
 */
export function outOfReach(
  { nextRunAt, expiresAt }: Pick<OneShotHint, 'nextRunAt' | 'expiresAt'>,
  { since, minIntervalMs }: Reach,
): string | null {
  const end = instantText(expiresAt)
  if (nextRunAt > expiresAt) return `is after the hint expires, at ${end}`
  const earliest = since + (minIntervalMs ?? 0)
  if (earliest <= expiresAt || minIntervalMs === null) return null
  const least = `the minimum interval of ${formatDuration(minIntervalMs)}`
  return `comes to nothing: ${least} puts it off until after the hint expires, at ${end}`
}
