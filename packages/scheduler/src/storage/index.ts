export { memoryStorage } from './memory-storage.js'
export { type SqliteOptions, sqliteStorage } from './sqlite-storage.js'
export type { ScheduleChange, Storage, StoredSchedule, WhenInUse } from './storage.js'
export { watchedStorage } from './watched-storage.js'
