export { checkInstant, formatInstant, latestInstant, parseInstant } from './calendar/instant.js'
export { Cron, type Dialect, parseCron } from './cron/index.js'
export {
  compileJob,
  type Decision,
  decide,
  type Job,
  maxAttempts,
  type Sample,
} from './decision/index.js'
export {
  type Concurrency,
  type ConstraintInput,
  type ConstraintSpec,
  type DecisionInput,
  type DecisionRequest,
  type DecisionSpec,
  type DistributionInput,
  type DistributionName,
  type DistributionSpec,
  distributionParameters,
  distributions,
  type FirstPeriod,
  type JobDefinition,
  type JobSpec,
  limits,
  type ParameterName,
  type ParameterShape,
  type PolicyInput,
  type PolicySpec,
  resolveConstraints,
  resolveDistribution,
  resolvePolicy,
  resolveScheduleSpec,
  resolveSeed,
  resolveWindow,
  type ScheduleSpec,
  type SeedInput,
  type SeedSpec,
  type SeedStrategy,
  type WindowInput,
  type WindowMode,
  type WindowSpec,
} from './definition/index.js'
export { formatDuration, parseDuration } from './duration/index.js'
export * from './errors/index.js'
export * from './governor/index.js'
export * from './policy/index.js'
export {
  formatSchedule,
  parseSchedule,
  type ScheduleOptions,
  type SplitSchedule,
  scheduleText,
  splitSchedule,
} from './schedule/index.js'
export { tzdataVersion, utc, Zone, zone, zoneNames } from './zone/index.js'
