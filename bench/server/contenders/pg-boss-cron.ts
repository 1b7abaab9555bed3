import pg from 'pg'
import { type ConstructorOptions, PgBoss } from 'pg-boss'
import type { CreateContender } from '../contender.ts'
import { createSender, type Send } from '../sender.ts'
import { type Countdown, countdown } from './countdown.ts'
import { cronOfMinute } from './cron-of-minute.ts'
import { queue, type Run, settings, unfinished } from './pg-boss.ts'
import { untilNoneLeft } from './until-none-left.ts'

/** The least that it takes. */
const intervals = { cronMonitorIntervalSeconds: 1, cronWorkerIntervalSeconds: 1 }

/** A statement for each schedule, as its interface has it; so many at once. */
const atOnce = 8

/** One schedule for each request, of the same minute. */
export const create: CreateContender = async ({ databaseUrl }) => {
  const observer = new pg.Client(databaseUrl)
  await observer.connect()
  let boss: PgBoss
  const startBoss = async (options: ConstructorOptions): Promise<PgBoss> => {
    const started = new PgBoss({ connectionString: databaseUrl, supervise: false, ...options })
    started.on('error', (error) => process.stderr.write(`${error.message}\n`))
    await started.start()
    return started
  }
  let sendOne: Send | undefined
  let round: Countdown
  return {
    async prepare({ dueAt, count, targetUrl }) {
      sendOne ??= createSender(targetUrl)
      round = countdown(count, sendOne)
      // Storing takes long, and one that looks for what is due meanwhile would only disturb it.
      boss = await startBoss({ schedule: false })
      await boss.createQueue(queue)
      const expression = cronOfMinute(dueAt)
      let next = 0
      const scheduleSome = async (): Promise<void> => {
        for (let id = next++; id < count; id = next++) {
          await boss.schedule(queue, expression, { id }, { key: String(id) })
        }
      }
      await Promise.all(Array.from({ length: atOnce }, scheduleSome))
    },
    async run() {
      await boss.stop()
      boss = await startBoss(intervals)
      await boss.work<Run>(queue, settings, async (jobs) => {
        await Promise.all(jobs.map(({ data }) => round.send(data.id)))
      })
      await round.done
      await untilNoneLeft(observer, unfinished)
    },
    rest: () => boss.stop(),
  }
}
