export { freed } from './claim-decision.js'
export {
  expectedPlan,
  followingPlan,
  freePlan,
  giverIn,
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
  effectiveFields,
  endpointPolicy,
  mayHavePolicy,
  scheduleOf,
  statedPolicy,
} from './compiled-endpoint.js'
export { EndpointPlanning, type PlanningOptions } from './endpoint-planning.js'
export type { LearnedNote } from './learned-note.js'
export { learnerName } from './learning.js'
export type { KeptMemory } from './memory-cache.js'
export { outOfReach, reachOf } from './one-shot-reach.js'
export { isComparable, type ReadSteering } from './outcome-decision.js'
export { scheduledPeriod, verdictOn } from './periods.js'
export { type Calendar, calendarOf, intervalBand } from './planner-bounds.js'
export type * from './planning.js'
export { type Pupil, pupilOf } from './pupil.js'
export { governed, newPlan, replan, replanSince, restoredPlan, suspendedPlan } from './replan.js'
export { noQuota, type QuotaRows, RunAllowance, runAllowance } from './run-allowance.js'
export { leaseGraceMs, type Wake, type WakeKind, wakeOf } from './wake.js'
