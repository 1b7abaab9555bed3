import { createScheduler, Duration, memoryStorage } from '@kron/scheduler'
import type { Register } from './contender.ts'

export const register: Register = async (tasks) => {
  const scheduler = createScheduler({ storage: memoryStorage() })
  const retryDelay = Duration.minutes(5)
  await scheduler.initialize(
    tasks.map(({ name, expression, callback }) => [name, expression, callback, retryDelay]),
  )
  return () => scheduler.stop()
}
