export {
  type Decided,
  type Evaluation,
  evaluate,
  type SkipReason,
  type Verdict,
} from './evaluate.js'
export {
  type ChosenPeriod,
  dueTime,
  executableUntil,
  nextChosenPeriod,
  nextToHandle,
  type PlannedPeriod,
  plannedPeriod,
  takenOverAt,
} from './planned-period.js'
export { type Responsibility, responsibilityFor } from './responsibility.js'
