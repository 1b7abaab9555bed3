import type { Endpoint, Plan } from '../../domain/index.js'
import { replanWithinQuota, wakeOf } from '../../scheduling/index.js'
import type { Call } from '../call.js'
import { compileChecked } from './compile-checked.js'

/** Writes a plan, and wakes the workers if it is for earlier than they know. */
export async function storePlan({ rows }: Call, plan: Plan): Promise<Plan> {
  await rows.plans.put(plan)
  const { at, kind } = wakeOf(plan)
  if (at !== null && kind !== 'held') rows.wakeAt(at)
  return plan
}

/** The same for a plan of which something changed that the Governor looks at. */
export async function storeReplanned(call: Call, endpoint: Endpoint, plan: Plan): Promise<Plan> {
  return storePlan(call, await replanWithinQuota(call.rows, plan, compileChecked(endpoint)))
}
