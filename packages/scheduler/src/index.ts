export type { Clock } from '@kron/runtime'
export { Duration, type RetryDelay } from './duration/index.js'
export * from './errors/index.js'
export type * from './event/event.js'
export type { EventListener, Logger } from './event/index.js'
export type { FailureReason } from './failure/index.js'
export { createScheduler, type Scheduler, type SchedulerOptions } from './lifecycle/index.js'
export type { Callback, Registration } from './registration/index.js'
export {
  memoryStorage,
  type ScheduleChange,
  type SqliteOptions,
  type Storage,
  type StoredSchedule,
  sqliteStorage,
  type WhenInUse,
} from './storage/index.js'
export type { TaskRecord } from './task/index.js'
