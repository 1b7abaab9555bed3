export type { ConstraintSpec } from '../constraint/index.js'
export { type ConstraintInput, resolveConstraints } from './constraint-lists.js'
export {
  type DecisionInput,
  type DecisionRequest,
  type DecisionSpec,
  type ResolvedDecisionRequest,
  resolveDecisionRequest,
} from './decision-spec.js'
export {
  type DistributionInput,
  type DistributionName,
  type DistributionSpec,
  distributions,
  resolveDistribution,
} from './distribution.js'
export {
  distributionParameters,
  type ParameterName,
  type ParameterShape,
} from './distribution-parameter.js'
export {
  type JobDefinition,
  type JobSpec,
  resolveJobDefinition,
  resolveScheduleSpec,
  type ScheduleSpec,
} from './job-definition.js'
export { limits } from './limits.js'
export {
  type Concurrency,
  type FirstPeriod,
  type PolicyInput,
  type PolicySpec,
  resolvePolicy,
} from './policy.js'
export { resolveSeed, type SeedInput, type SeedSpec, type SeedStrategy } from './seed.js'
export { resolveWindow, type WindowInput, type WindowMode, type WindowSpec } from './window.js'
