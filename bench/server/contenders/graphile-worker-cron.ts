import { parseCronItems } from 'graphile-worker'
import { cronOfMinute } from './cron-of-minute.ts'
import { graphileWith, task } from './graphile-worker.ts'

/** One line of a crontab for each request, of the same minute. */
export const create = graphileWith((_, { dueAt, count }) => {
  const match = cronOfMinute(dueAt)
  return parseCronItems(
    Array.from({ length: count }, (_, id) => ({
      task,
      match,
      payload: { id },
      identifier: `request-${id}`,
    })),
  )
})
