export type { EndpointPlan, NextRun, PlanSource } from './endpoint-plan.js'
export { planNextRun } from './plan-next-run.js'
