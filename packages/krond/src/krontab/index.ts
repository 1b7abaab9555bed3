export type { Command } from './command.js'
export {
  compileSchedule,
  errorSpan,
  type ScheduleSpans,
  scheduleSpans,
} from './compile-schedule.js'
export type { Span } from './field-scanner.js'
export { formatField, formatLine, type LineField } from './format-line.js'
export type { JobFields } from './job-fields.js'
export type { BrokenJob, KrontabFile, KrontabJob } from './krontab-file.js'
export { krontabLimits } from './lines.js'
export type { OutputTarget } from './output-target.js'
export { type ParseOptions, parseKrontab } from './parse-krontab.js'
export { findingOf, messageInLine, type Problem } from './problem-list.js'
export { findKrontabs, krontabExtension, readKrontabs, readText } from './read-krontabs.js'
