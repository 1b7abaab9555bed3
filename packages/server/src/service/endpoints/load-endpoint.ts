import { isId } from '../../domain/index.js'
import type { EndpointWithPlan } from '../../store/index.js'
import type { Call } from '../call.js'
import { notFound } from '../service-error.js'

/** The endpoint and its plan, locked until the call ends. */
export async function loadEndpoint({ rows }: Call, id: string): Promise<EndpointWithPlan> {
  const found = isId('ep', id) ? await rows.endpoints.get(id) : null
  if (found === null) throw notFound('endpoint')
  return found
}
