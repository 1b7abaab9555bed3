export type { Account } from './account.js'
export type {
  EndSignal,
  ExecFailure,
  ExitStatus,
  Gate,
  Processes,
  Release,
  StartRequest,
} from './processes.js'
export type { RunSettings } from './run-settings.js'
