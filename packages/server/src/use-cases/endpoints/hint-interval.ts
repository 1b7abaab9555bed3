import type { EndpointWithPlan } from '../../domain/index.js'
import { type Call, giverOf } from '../call.js'
import { changePlan } from './change-plan.js'
import { loadEndpoint } from './load-endpoint.js'

export interface IntervalWish {
  readonly intervalMs: number
  readonly ttlMinutes: number
  readonly reason: string | null
}

/** Another interval for a while. The Governor keeps it between the endpoint's limits. */
export async function hintInterval(
  call: Call,
  id: string,
  { intervalMs, ttlMinutes, reason }: IntervalWish,
): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  const expiresAt = call.rows.now + ttlMinutes * 60_000
  const intervalHint = { intervalMs, expiresAt, reason, by: giverOf(call) }
  return changePlan(call, found, { intervalHint }, 'endpoint.hint_interval', reason)
}
