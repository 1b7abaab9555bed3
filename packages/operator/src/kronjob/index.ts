export { applyDefaults } from './apply-defaults.js'
export { checkKronJob } from './check-manifest.js'
export { compileKronJob, identityOf } from './compile-kron-job.js'
export {
  type CustomResourceDefinition,
  kronJobApiVersion,
  kronJobCrd,
} from './crd.js'
export type { DistributionParams, JobTemplate, KronJob, KronJobSpec } from './kron-job.js'
export {
  type Condition,
  type ConditionType,
  conditionTypes,
  type JobReference,
  type KronJobStatus,
  type Outcome,
  outcomes,
} from './kron-job-status.js'
export { type FieldPath, type Problem, pathText } from './manifest/problem.js'
export { defaultHistoryLimits } from './schema/spec-schema.js'
