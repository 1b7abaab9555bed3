export { decodeState } from './decode-state.js'
export { encodeState } from './encode-state.js'
export {
  type ActiveExecution,
  type HandledPeriod,
  type HistoryEntry,
  type JobState,
  type Outcome,
  outcomes,
  type ProcessIdentity,
} from './job-state.js'
export { migrations } from './migrations.js'
export { prepareStateFolder, stateFileName } from './state-folder.js'
export { type LoadedState, StateStore } from './state-store.js'
export { completed, emptyState, givenBack, handled, runningIn, started } from './transitions.js'
