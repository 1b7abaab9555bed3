export type { Account } from './account.js'
export type { Accounts, GroupEntry, UserEntry } from './accounts/accounts.js'
export { type AccountNames, resolveAccount } from './accounts/resolve-account.js'
export { systemAccounts } from './accounts/system-accounts.js'
export type { Self } from './gate/privilege-drop.js'
export type { GateLimits } from './gate/system-gate.js'
export { isProcessAlive, processIdentity, signalGroup } from './process-identity.js'
export type {
  EndSignal,
  ExecFailure,
  ExitStatus,
  Gate,
  OnLine,
  OutputOwner,
  Processes,
  Release,
  StartRequest,
} from './processes.js'
export type { RunSettings } from './run-settings.js'
export {
  type SystemProcesses,
  type SystemProcessesOptions,
  selfOf,
  systemProcesses,
} from './system-processes.js'
