import {
  Logger,
  makeWorkerUtils,
  type parseCronItems,
  type Runner,
  run as startRunner,
  WorkerPreset,
  type WorkerUtils,
} from 'graphile-worker'
import type { Assignment, CreateContender } from '../contender.ts'
import { connections } from '../sender.ts'
import { QueueRounds } from './queue-rounds.ts'

export const task = 'request'

/** Errors only. */
const logger = new Logger(() => (level, message) => {
  if (level === 'error') process.stderr.write(`${message}\n`)
})

/** The best of those tried, which the README lists. */
const presetFor = (connectionString: string) => ({
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

const idOf = (payload: unknown): number => (payload as { id: number }).id

/** What has ended is deleted. */
const unfinished = 'SELECT count(*)::int FROM graphile_worker._private_jobs'

type CronItems = ReturnType<typeof parseCronItems>

/** `store` keeps the requests of a round, and gives the lines of the crontab if it has any. */
export const graphileWith =
  (
    store: (utils: WorkerUtils, assignment: Assignment) => CronItems | Promise<CronItems>,
  ): CreateContender =>
  async ({ databaseUrl }) => {
    const rounds = await QueueRounds.open(databaseUrl, unfinished)
    const preset = presetFor(databaseUrl)
    const utils = await makeWorkerUtils({ preset })
    await utils.migrate()
    let runner: Runner | undefined
    let parsedCronItems: CronItems
    return {
      async prepare(assignment) {
        rounds.begin(assignment)
        parsedCronItems = await store(utils, assignment)
      },
      async run() {
        const taskList = { [task]: (payload: unknown) => rounds.send(idOf(payload)) }
        runner = await startRunner({ preset, taskList, parsedCronItems })
        await rounds.ended()
      },
      rest: async () => runner?.stop(),
    }
  }

/** Jobs with `runAt`. */
export const create = graphileWith(async (utils, { dueAt, count }) => {
  const runAt = new Date(dueAt)
  await utils.addJobs(
    Array.from({ length: count }, (_, id) => ({ identifier: task, payload: { id }, runAt })),
  )
  return []
})
