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
} from './kron-job.js'
export { checkKronJob } from './manifest/check-manifest.js'
export { type FieldPath, type Problem, pathText } from './manifest/problem.js'
export { applyDefaults, defaultHistoryLimits } from './schema/kron-job-schema.js'
