import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { CreateContender } from '../contender.ts'
import { createSender, type Send } from '../sender.ts'
import { type Countdown, countdown } from './countdown.ts'
import { untilNoneLeft } from './until-none-left.ts'

export const queue = 'requests'

/** The best of those tried, which the README lists; 0.5 s is the least it takes. */
export const settings = {
  batchSize: 2000,
  localConcurrency: 2,
  pollingIntervalSeconds: 0.5,
  burstWhenBatchFull: true,
}

export interface Run {
  readonly id: number
}

export const unfinished = `SELECT count(*)::int FROM pgboss.job
  WHERE name = '${queue}' AND state <> 'completed'`

/** Jobs with `startAfter`; the requests of a batch are sent at once, and end in one statement. */
export const create: CreateContender = async ({ databaseUrl }) => {
  const observer = new pg.Client(databaseUrl)
  await observer.connect()
  let boss: PgBoss
  let sendOne: Send | undefined
  let round: Countdown
  return {
    async prepare({ dueAt, count, targetUrl }) {
      sendOne ??= createSender(targetUrl)
      round = countdown(count, sendOne)
      boss = new PgBoss({ connectionString: databaseUrl, schedule: false, supervise: false })
      boss.on('error', (error) => process.stderr.write(`${error.message}\n`))
      await boss.start()
      await boss.createQueue(queue)
      const startAfter = new Date(dueAt)
      const jobs = Array.from({ length: count }, (_, id) => ({ data: { id }, startAfter }))
      await boss.insert(queue, jobs)
    },
    async run() {
      await boss.work<Run>(queue, settings, async (jobs) => {
        await Promise.all(jobs.map(({ data }) => round.send(data.id)))
      })
      await round.done
      await untilNoneLeft(observer, unfinished)
    },
    rest: () => boss.stop(),
  }
}
