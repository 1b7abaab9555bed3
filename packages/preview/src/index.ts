export { type CronField, cronFields, type FieldText, fieldTexts } from './cron-text/index.js'
export {
  type ExplainOptions,
  type Explanation,
  explainAnswer,
  explanationOf,
  whichPeriod,
} from './explain/index.js'
export {
  countOf,
  type Finding,
  findingJson,
  findingLines,
  type Place,
  type Subject,
  sameTime,
  scheduleRules,
  type WarningCode,
  warningAt,
} from './lint/index.js'
export { formatLocalShort } from './local-time/index.js'
export type { NamedJob } from './named-job.js'
export { type NextOptions, nextAnswer, nextStretch } from './next/index.js'
export type { Notation, SchedulePart } from './notation.js'
export { type SimulateOptions, simulateJobs, simulationRequest } from './simulate/index.js'
