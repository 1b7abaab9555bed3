import { type ConstructorOptions, PgBoss } from 'pg-boss'
import type { Assignment, CreateContender } from '../contender.ts'
import { QueueRounds } from './queue-rounds.ts'

export const queue = 'requests'

/** The best of those tried, which the README lists; 0.5 s is the least it takes. */
const settings = {
  batchSize: 2000,
  localConcurrency: 2,
  pollingIntervalSeconds: 0.5,
  burstWhenBatchFull: true,
}

interface Run {
  readonly id: number
}

const unfinished = `SELECT count(*)::int FROM pgboss.job
  WHERE name = '${queue}' AND state <> 'completed'`

async function startBoss(connectionString: string, options: ConstructorOptions): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString, supervise: false, ...options })
  boss.on('error', (error) => process.stderr.write(`${error.message}\n`))
  await boss.start()
  return boss
}

interface Way {
  /** Keeps the requests of a round. */
  store(boss: PgBoss, assignment: Assignment): Promise<void>
  /** How it begins again to work them off; absent: it goes on as it is. */
  readonly restart?: ConstructorOptions
}

/** The requests of a batch are sent at once, and end in one statement. */
export const bossWith =
  ({ store, restart }: Way): CreateContender =>
  async ({ databaseUrl }) => {
    const rounds = await QueueRounds.open(databaseUrl, unfinished)
    let boss: PgBoss
    return {
      async prepare(assignment) {
        rounds.begin(assignment)
        // Storing can take long, and one that looks for what is due would only disturb it.
        boss = await startBoss(databaseUrl, { schedule: false })
        await boss.createQueue(queue)
        await store(boss, assignment)
      },
      async run() {
        if (restart !== undefined) {
          await boss.stop()
          boss = await startBoss(databaseUrl, restart)
        }
        await boss.work<Run>(queue, settings, async (jobs) => {
          await Promise.all(jobs.map(({ data }) => rounds.send(data.id)))
        })
        await rounds.ended()
      },
      rest: () => boss.stop(),
    }
  }

/** Jobs with `startAfter`. */
export const create = bossWith({
  async store(boss, { dueAt, count }) {
    const startAfter = new Date(dueAt)
    const jobs = Array.from({ length: count }, (_, id) => ({ data: { id }, startAfter }))
    await boss.insert(queue, jobs)
  },
})
