import type { Wish } from './learner.js'

/** The times that a cron baseline allows. */
export interface Times {
  /** The first at or after an instant, or null. */
  from(instant: number): number | null
}

/** What is asked of the Governor after a run; null leaves the baseline as it is. */
export type WantedRun =
  | { readonly kind: 'interval'; readonly intervalMs: number }
  | { readonly kind: 'time'; readonly at: number }
  | null

export interface Limits {
  readonly budget: number
  readonly maxMs: number
}

/**
 * An interval baseline is moved to the gap that is wanted. Of a cron baseline times are left out, and
 * none are added: with the whole budget only while the target is down or asks for rest.
 */
export function wantedRun(
  { gapMs, mode }: Wish,
  startedAt: number,
  times: Times | null,
  { budget, maxMs }: Limits,
): WantedRun {
  if (times === null) return { kind: 'interval', intervalMs: Math.round(gapMs) }
  if (mode === 'spacing' && budget >= 1) return null
  const next = times.from(startedAt + 1)
  const at = times.from(Math.ceil(startedAt + gapMs))
  if (next === null || at === null || at <= next || at > startedAt + maxMs) return null
  return { kind: 'time', at }
}
