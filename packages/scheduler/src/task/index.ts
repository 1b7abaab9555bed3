export { decodeRecord } from './decode-record.js'
export {
  failed,
  newRecord,
  overridden,
  started,
  succeeded,
  type TaskRecord,
} from './task-record.js'
