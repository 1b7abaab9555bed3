export type { LockInfo } from './lock-file.js'
export { acquireStateLock, readStateLock, type StateLock } from './state-lock.js'
