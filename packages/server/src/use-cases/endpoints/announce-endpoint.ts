import type { EndpointWithPlan } from '../../domain/index.js'
import type { Call } from '../call.js'
import { endpointStatus } from './endpoint-status.js'

/** Tells that an endpoint or its plan was changed, and what it does now. */
export function announceEndpoint(call: Call, found: EndpointWithPlan): void {
  call.announce('endpoint.changed', found.endpoint.id, endpointStatus(found, call.rows.now))
}
