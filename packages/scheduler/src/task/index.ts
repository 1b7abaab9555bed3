export { decodeRecord } from './decode-record.js'
export type { TaskRecord } from './task-record.js'
export { failed, newRecord, overridden, started, succeeded } from './transitions.js'
