import { isQuotaHold, type Plan } from '../domain/index.js'
import { type CompiledEndpoint, replan } from '../scheduling/index.js'
import type { TenantTransaction } from '../store/index.js'
import { withinQuota } from './following-plan.js'
import { runAllowance } from './run-allowance.js'

/**
 * A plan that is made again because something about it changed. One that waits for a quota goes on
 * to wait while one is used up: a claim would find out, but people look at it before.
 */
export async function replanWithinQuota(
  rows: TenantTransaction,
  plan: Plan,
  compiled: CompiledEndpoint,
): Promise<Plan> {
  const next = replan(plan, compiled, rows.now)
  if (!isQuotaHold(plan.source)) return next
  return withinQuota(next, compiled, await runAllowance(rows), rows.now)
}
