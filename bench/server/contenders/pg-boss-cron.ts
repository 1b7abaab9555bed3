import { cronOfMinute } from './cron-of-minute.ts'
import { bossWith, queue } from './pg-boss.ts'

/** The least that it takes. */
const intervals = { cronMonitorIntervalSeconds: 1, cronWorkerIntervalSeconds: 1 }

/** A statement for each schedule, as its interface has it; so many at once. */
const atOnce = 8

/** One schedule for each request, of the same minute. */
export const create = bossWith({
  async store(boss, { dueAt, count }) {
    const expression = cronOfMinute(dueAt)
    let next = 0
    const scheduleSome = async (): Promise<void> => {
      for (let id = next++; id < count; id = next++) {
        await boss.schedule(queue, expression, { id }, { key: String(id) })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, scheduleSome))
  },
  restart: intervals,
})
