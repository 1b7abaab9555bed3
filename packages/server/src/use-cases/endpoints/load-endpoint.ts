import { type EndpointWithPlan, isId } from '../../domain/index.js'
import type { Call } from '../call.js'
import { notFound } from '../service-error.js'

/** The endpoint and its plan, locked until the call ends. */
export async function loadEndpoint({ rows }: Call, id: string): Promise<EndpointWithPlan> {
  return there(isId('ep', id) ? await rows.endpoints.get(id) : null)
}

/** The same for those who change nothing: a lock would have workers pass over the endpoint. */
export async function readEndpoint({ rows }: Call, id: string): Promise<EndpointWithPlan> {
  return there(isId('ep', id) ? await rows.endpoints.read(id) : null)
}

function there(found: EndpointWithPlan | null): EndpointWithPlan {
  if (found === null) throw notFound('endpoint')
  return found
}
