export { type Decided, type Evaluation, evaluate } from './evaluate.js'
export {
  dueTime,
  nextToHandle,
  type PlannedPeriod,
  plannedPeriod,
  takenOverAt,
} from './planned-period.js'
export type { SkipReason, Verdict } from './verdict.js'
