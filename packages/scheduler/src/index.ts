export type { Clock } from '@kron/runtime'
export { Duration, type RetryDelay } from './duration/duration.js'
export * from './errors/index.js'
export type * from './event/event.js'
export type { EventListener, Logger } from './event/index.js'
export type { FailureReason } from './failure/failure-reason.js'
export { createScheduler, type Scheduler } from './lifecycle/scheduler.js'
export type { SchedulerOptions } from './lifecycle/scheduler-options.js'
export type { Callback, Registration } from './registration/registration.js'
export {
  memoryStorage,
  type ScheduleChange,
  type SqliteOptions,
  type Storage,
  type StoredSchedule,
  sqliteStorage,
  type WhenInUse,
} from './storage/index.js'
export type { TaskRecord } from './task/task-record.js'
