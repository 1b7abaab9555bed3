import { KronError } from '@kron/core'
import type { Drafted, EndpointDefinition } from '../../domain/index.js'
import { everyItem } from '../../store/index.js'
import { type Asker, type Call, inCall, type UseCasePorts } from '../call.js'
import { type FieldError, Refusal } from '../refusal.js'
import { loadEndpoint, storeEndpoint } from './stored-endpoint.js'

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

/**
 * Holds endpoints that are there already to a floor that was set later, one a transaction. What
 * they say of their baseline stays; their own minimum keeps it from running more often. Dying in
 * between leaves some that are not held yet: the same command again goes on. Archived ones are held
 * as well: bringing one back does not change its definition.
 */
export async function holdToFloor(
  ports: UseCasePorts,
  asker: Asker,
  floorMs: number,
): Promise<number> {
  const endpoints = everyItem((page) =>
    inCall(ports, asker, ({ rows }) => rows.endpoints.list(page)),
  )
  let held = 0
  for await (const { endpoint } of endpoints) {
    if (raised(endpoint.definition, floorMs) === null) continue
    try {
      await inCall(ports, asker, (call) => hold(call, endpoint.id, floorMs))
      held++
    } catch (error) {
      // Deleted meanwhile, or no longer compiled: then it does not run either.
      if (!(error instanceof Refusal || error instanceof KronError)) throw error
    }
  }
  return held
}

async function hold(call: Call, id: string, floorMs: number): Promise<void> {
  const { endpoint, plan } = await loadEndpoint(call, id)
  const definition = raised(endpoint.definition, floorMs)
  if (definition !== null)
    await storeEndpoint(call, endpoint, { definition }, plan, 'endpoint.floor')
}

/** null: it keeps to the floor as it is. */
function raised(definition: EndpointDefinition, floorMs: number): EndpointDefinition | null {
  const { minIntervalMs, maxIntervalMs } = definition
  if (minIntervalMs !== null && minIntervalMs >= floorMs) return null
  return {
    ...definition,
    minIntervalMs: floorMs,
    maxIntervalMs: maxIntervalMs === null ? null : Math.max(maxIntervalMs, floorMs),
  }
}
