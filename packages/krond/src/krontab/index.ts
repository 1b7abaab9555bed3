export type { Command } from './command.js'
export { compileSchedule, errorSpan } from './compile-schedule.js'
export { formatField, formatLine, type LineField } from './format-line.js'
export type { JobFields } from './job-fields.js'
export type { BrokenJob, KrontabFile, KrontabJob } from './krontab-file.js'
export { krontabLimits } from './limits.js'
export type { OutputTarget } from './output-target.js'
export { type ParseOptions, parseKrontab } from './parse-krontab.js'
export type { Problem } from './problem.js'
export { messageOf } from './problem-list.js'
export {
  findKrontabs,
  krontabExtension,
  readKrontabs,
  readText,
} from './read-krontabs.js'
export { type ScheduleSpans, scheduleSpans } from './schedule-spans.js'
export type { Span } from './span.js'
