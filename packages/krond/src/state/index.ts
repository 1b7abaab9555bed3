export { type DecodedState, decodeState, type StateSource } from './decode-state.js'
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
export { type Migration, type Migrations, migrations } from './migrations.js'
export type { StateFields } from './state-fields.js'
export { prepareStateFolder, stateFileName } from './state-folder.js'
export { type LoadedState, StateStore, type StateStoreOptions } from './state-store.js'
export {
  completed,
  emptyState,
  givenBack,
  handled,
  maxHistory,
  type Occasion,
  runningIn,
  started,
} from './transitions.js'
