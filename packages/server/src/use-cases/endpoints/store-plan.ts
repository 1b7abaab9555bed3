import type { Endpoint, Plan } from '../../domain/index.js'
import { replanWithinQuota } from '../../scheduling/index.js'
import type { Call } from '../call.js'
import { compileChecked } from './compile-checked.js'

/** Writes what the Governor makes of a plan of which something changed. */
export async function storeReplanned(call: Call, endpoint: Endpoint, changed: Plan): Promise<Plan> {
  const plan = await replanWithinQuota(call.rows, changed, compileChecked(endpoint))
  await call.rows.plans.put(plan)
  return plan
}
