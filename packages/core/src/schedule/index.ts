export type { ScheduleSpec } from '../definition/index.js'
export { formatSchedule, scheduleText } from './format-schedule.js'
export { parseSchedule, type ScheduleOptions } from './parse-schedule.js'
export { type SplitSchedule, splitSchedule } from './split-schedule.js'
