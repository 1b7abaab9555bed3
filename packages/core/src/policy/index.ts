export { type Decided, type Evaluation, evaluate } from './evaluate.js'
export { executableUntil } from './executable-until.js'
export {
  type ChosenPeriod,
  dueTime,
  nextChosenPeriod,
  nextToHandle,
  type PlannedPeriod,
  plannedPeriod,
  takenOverAt,
} from './planned-period.js'
export { type Responsibility, responsibilityFor } from './responsibility.js'
export type { SkipReason, Verdict } from './verdict.js'
