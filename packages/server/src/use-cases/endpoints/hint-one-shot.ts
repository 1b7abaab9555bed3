import type { EndpointWithPlan } from '../../domain/index.js'
import { outOfReach, reachOf } from '../../scheduling/index.js'
import { type Call, giverOf } from '../call.js'
import { invalidField } from '../service-error.js'
import { changePlan } from './change-plan.js'
import { loadEndpoint } from './load-endpoint.js'

export interface OneShotWish {
  readonly nextRunAt: number
  readonly ttlMinutes: number
  readonly reason: string | null
}

/** One run at this instant in place of the next one by the baseline, if it can come to be. */
export async function hintOneShot(
  call: Call,
  id: string,
  { nextRunAt, ttlMinutes, reason }: OneShotWish,
): Promise<EndpointWithPlan> {
  const found = await loadEndpoint(call, id)
  const expiresAt = call.rows.now + ttlMinutes * 60_000
  const flaw = outOfReach({ nextRunAt, expiresAt }, reachOf(found.plan, found.endpoint.definition))
  if (flaw !== null) throw invalidField('nextRunAt', 'after_expiry', `nextRunAt ${flaw}`)
  const oneShotHint = { nextRunAt, expiresAt, reason, by: giverOf(call) }
  return changePlan(call, found, { oneShotHint }, 'endpoint.hint_one_shot', reason)
}
