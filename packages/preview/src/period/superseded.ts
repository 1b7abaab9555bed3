import type { Job } from '@kron/core'

/**
 * When the next period takes over, if that is before the chosen time; null otherwise. Windows
 * never overlap on the wall clock, so only a change of the clock brings two of them together.
 */
export function supersededAt(job: Job, nominal: number, chosen: number | null): number | null {
  if (chosen === null) return null
  const at = job.supersededAt(nominal)
  return at !== null && at < chosen ? at : null
}
