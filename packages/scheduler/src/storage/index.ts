export { memoryStorage } from './memory-storage.js'
export { sqliteStorage } from './sqlite-storage.js'
export type { ScheduleChange, Storage, StoredSchedule } from './storage.js'
