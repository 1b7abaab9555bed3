import { KronError } from '@kron/core'
import type { EndpointDefinition } from '../../domain/index.js'
import { type Asker, type Call, inCall, type ServicePorts } from '../call.js'
import { loadEndpoint } from '../endpoints/load-endpoint.js'
import { storeEndpoint } from '../endpoints/store-endpoint.js'
import { everyItem } from '../every-item.js'
import { ServiceError } from '../service-error.js'

/**
 * Holds endpoints that are there already to a floor that was set later, one a transaction. What
 * they say of their baseline stays; their own minimum keeps it from running more often. Dying in
 * between leaves some that are not held yet: the same command again goes on. Archived ones are held
 * as well: bringing one back does not change its definition.
 */
export async function holdToFloor(
  ports: ServicePorts,
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
      if (!(error instanceof ServiceError || error instanceof KronError)) throw error
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
