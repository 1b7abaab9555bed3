import { KronError } from '@kron/core'
import type { Plan } from '../domain/index.js'
import { compileEndpoint } from '../scheduling/index.js'
import type { EndpointWithPlan } from '../store/index.js'
import { endsWithHint, freePlan } from './following-plan.js'

/**
 * What is planned for an endpoint as people are to see it. Nothing while it is suspended, whatever
 * was planned before; and no run that is planned only until a hint ends.
 */
export function expectedPlan({ endpoint, plan }: EndpointWithPlan, now: number): Plan {
  if (plan.suspended) return { ...plan, nextRunAt: null, periodId: null }
  // Few endpoints have such a hint, and lists must not compile all others.
  if (!endsWithHint(plan)) return plan
  try {
    return freePlan(plan, compileEndpoint(endpoint), now).plan
  } catch (error) {
    if (error instanceof KronError) return plan
    throw error
  }
}
