export { freed } from './claim-decision.js'
export {
  expectedPlan,
  followingPlan,
  freePlan,
  isRun,
  type Preview,
  previewPlans,
  replanWithinQuota,
  type UndoneRun,
  waitingForQuota,
  withinQuota,
} from './coming-plan.js'
export {
  type CompiledEndpoint,
  compileEndpoint,
  scheduleOf,
  statedPolicy,
} from './compiled-endpoint.js'
export { EndpointPlanning, type PlanningOptions } from './endpoint-planning.js'
export { effectiveFields, endpointPolicy, mayHavePolicy } from './endpoint-policy.js'
export { outOfReach, reachOf } from './one-shot-reach.js'
export { scheduledPeriod, verdictOn } from './period.js'
export type * from './planning.js'
export { governed, newPlan, replan, replanSince, restoredPlan, suspendedPlan } from './replan.js'
export type { ReadSteering } from './response-hints.js'
export { noQuota, type QuotaRows, RunAllowance, runAllowance } from './run-allowance.js'
export { leaseGraceMs, type Wake, type WakeKind, wakeOf } from './wake.js'
