export type { LockInfo } from './holder-file.js'
export { acquireStateLock, readStateLock, type StateLock } from './state-lock.js'
