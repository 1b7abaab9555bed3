import { makeWorkerUtils, parseCronItems, type Runner, run as startRunner } from 'graphile-worker'
import pg from 'pg'
import type { CreateContender } from '../contender.ts'
import { createSender, type Send } from '../sender.ts'
import { type Countdown, countdown } from './countdown.ts'
import { cronOfMinute } from './cron-of-minute.ts'
import { idOf, presetFor, task, unfinished } from './graphile-worker.ts'
import { untilNoneLeft } from './until-none-left.ts'

/** One line of a crontab for each request, of the same minute. */
export const create: CreateContender = async ({ databaseUrl }) => {
  const observer = new pg.Client(databaseUrl)
  await observer.connect()
  const preset = presetFor(databaseUrl)
  const utils = await makeWorkerUtils({ preset })
  await utils.migrate()
  let sendOne: Send | undefined
  let round: Countdown
  let runner: Runner | undefined
  let items: ReturnType<typeof parseCronItems>
  return {
    async prepare({ dueAt, count, targetUrl }) {
      sendOne ??= createSender(targetUrl)
      round = countdown(count, sendOne)
      const match = cronOfMinute(dueAt)
      items = parseCronItems(
        Array.from({ length: count }, (_, id) => ({
          task,
          match,
          payload: { id },
          identifier: `request-${id}`,
        })),
      )
    },
    async run() {
      const taskList = { [task]: (payload: unknown) => round.send(idOf(payload)) }
      runner = await startRunner({ preset, taskList, parsedCronItems: items })
      await round.done
      await untilNoneLeft(observer, unfinished)
    },
    rest: async () => runner?.stop(),
  }
}
