export {
  type ActiveExecution,
  type HandledPeriod,
  type HistoryEntry,
  type JobState,
  type Outcome,
  outcomes,
  type ProcessIdentity,
} from './job-state.js'
