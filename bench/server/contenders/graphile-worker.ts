import {
  Logger,
  makeWorkerUtils,
  type Runner,
  run as startRunner,
  WorkerPreset,
} from 'graphile-worker'
import pg from 'pg'
import type { CreateContender } from '../contender.ts'
import { connections, createSender, type Send } from '../sender.ts'
import { type Countdown, countdown } from './countdown.ts'
import { untilNoneLeft } from './until-none-left.ts'

export const task = 'request'

/** Errors only. */
const logger = new Logger(() => (level, message) => {
  if (level === 'error') process.stderr.write(`${message}\n`)
})

/** The best of those tried, which the README lists. */
export const presetFor = (connectionString: string) => ({
  extends: [WorkerPreset],
  worker: {
    connectionString,
    logger,
    concurrentJobs: connections,
    maxPoolSize: 10,
    pollInterval: 20,
    localQueue: { size: 2500 },
    completeJobBatchDelay: 250,
  },
})

export const idOf = (payload: unknown): number => (payload as { id: number }).id

/** What has ended is deleted. */
export const unfinished = 'SELECT count(*)::int FROM graphile_worker._private_jobs'

/** Jobs with `runAt`. */
export const create: CreateContender = async ({ databaseUrl }) => {
  const observer = new pg.Client(databaseUrl)
  await observer.connect()
  const preset = presetFor(databaseUrl)
  const utils = await makeWorkerUtils({ preset })
  await utils.migrate()
  let sendOne: Send | undefined
  let round: Countdown
  let runner: Runner | undefined
  return {
    async prepare({ dueAt, count, targetUrl }) {
      sendOne ??= createSender(targetUrl)
      round = countdown(count, sendOne)
      const runAt = new Date(dueAt)
      await utils.addJobs(
        Array.from({ length: count }, (_, id) => ({ identifier: task, payload: { id }, runAt })),
      )
    },
    async run() {
      const taskList = { [task]: (payload: unknown) => round.send(idOf(payload)) }
      runner = await startRunner({ preset, taskList, parsedCronItems: [] })
      await round.done
      await untilNoneLeft(observer, unfinished)
    },
    rest: async () => runner?.stop(),
  }
}
