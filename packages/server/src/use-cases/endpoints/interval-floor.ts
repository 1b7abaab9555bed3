import type { Call } from '../call.js'
import type { FieldError } from '../service-error.js'
import type { EndpointDraft } from './endpoint-draft.js'

type Drafted = Omit<EndpointDraft, 'headers'>

/** The shortest interval that the tenant's endpoints may have; null where there is none. */
export async function intervalFloor({ rows }: Call): Promise<number | null> {
  return (await rows.tenant.get()).quotas.minIntervalMs
}

/** What says that it wants to run more often than it may is refused, never changed silently. */
export function checkFloor(draft: Drafted, floorMs: number | null): readonly FieldError[] {
  if (floorMs === null) return []
  return (['intervalMs', 'minIntervalMs', 'maxIntervalMs'] as const).flatMap((field) => {
    const value = draft[field]
    if (value === null || value >= floorMs) return []
    const message = `${field} (${value}) must be at least ${floorMs}, the tenant's shortest interval`
    return [{ field, code: 'interval_below_floor', message }]
  })
}

/**
 * What can't be read off the fields, such as a cron of every second, a hint or a response that
 * steers, is held back by the endpoint's own minimum, which is therefore never below the floor.
 */
export function raisedToFloor(draft: Drafted, floorMs: number | null): Drafted {
  return floorMs === null || draft.minIntervalMs !== null
    ? draft
    : { ...draft, minIntervalMs: floorMs }
}
