/** The kind KronJob, for those who write or read one in TypeScript. There is nothing to be run. */
export type {
  Concurrency,
  Condition,
  ConditionType,
  DistributionName,
  DistributionParams,
  FirstPeriod,
  JobReference,
  JobTemplate,
  KronJob,
  KronJobManifest,
  KronJobSpec,
  KronJobStatus,
  Outcome,
  SeedStrategy,
  WindowMode,
} from './kronjob/kron-job.js'
