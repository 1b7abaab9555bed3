export type { CrontabFormat } from './crontab-line.js'
export { findCrontabs, isCrontabName, spoolUser } from './crontab-paths.js'
export { free, nameOfCommand } from './job-name.js'
export {
  type CrontabFile,
  type CrontabLine,
  type CrontabOptions,
  type Notice,
  parseCrontab,
} from './parse-crontab.js'
export {
  guessedFormat,
  type IsUser,
  type ReadCrontabOptions,
  readCrontabs,
} from './read-crontabs.js'
export { bothDays, type DayText } from './schedule-of-entry.js'
export { systemTimezone, type ZoneSources } from './system-timezone.js'
export { listOf, type TimeSet } from './time-field.js'
