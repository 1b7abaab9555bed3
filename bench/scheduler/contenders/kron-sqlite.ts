import { join } from 'node:path'
import { createScheduler, Duration, sqliteStorage } from '@kron/scheduler'
import type { Register } from './contender.ts'
import { databaseName } from './database-name.ts'

export const register: Register = async (tasks, { folder }) => {
  const scheduler = createScheduler({ storage: sqliteStorage(join(folder, databaseName)) })
  const retryDelay = Duration.minutes(5)
  await scheduler.initialize(
    tasks.map(({ name, expression, callback }) => [name, expression, callback, retryDelay]),
  )
  return () => scheduler.stop()
}
