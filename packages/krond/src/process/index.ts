export type { Self } from './accounts/accounts.js'
export {
  type AccountNames,
  type Accounts,
  type GroupEntry,
  resolveAccount,
  type UserEntry,
} from './accounts/accounts.js'
export { selfOf, systemAccounts } from './accounts/system-accounts.js'
export type { GateLimits } from './gate/system-gate.js'
export { isProcessAlive, processIdentity, signalGroup } from './process-identity.js'
export type {
  Account,
  EndSignal,
  ExecFailure,
  ExitStatus,
  Gate,
  OnLine,
  OutputOwner,
  Processes,
  Release,
  RunSettings,
  StartRequest,
} from './processes.js'
export {
  type SystemProcesses,
  type SystemProcessesOptions,
  systemProcesses,
} from './system-processes.js'
