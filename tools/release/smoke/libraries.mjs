/** Run by each engine in a project that has the libraries installed: prints what they answered. */
import { compileJob, formatInstant, parseCron } from '@kron/core'
import { parseCron as parseUtcCron } from '@kron/core/zoneless'
import { createScheduler, Duration, memoryStorage, sqliteStorage } from '@kron/scheduler'
import { VirtualClock } from '@kron/scheduler/testing'

const job = compileJob({
  identity: 'prod/db-backup',
  schedule: '0 0 * * *',
  timezone: 'Europe/Paris',
  window: { mode: 'after', duration: '3h' },
})
const period = job.nextPeriod(Date.UTC(2026, 2, 28, 12))
console.log(formatInstant(job.decide(period).chosenTime))
console.log(typeof parseCron('0 3 * * *'), typeof parseUtcCron('0 3 * * *'))

const clock = new VirtualClock(new Date('2026-03-01T00:00:00Z'))
const storage = process.argv[2] === 'memory' ? memoryStorage() : sqliteStorage('./smoke.db')
const scheduler = createScheduler({ clock, storage, timeZone: 'UTC' })
let runs = 0
await scheduler.initialize([['tick', '* * * * *', () => void runs++, Duration.minutes(5)]])
await clock.advanceBy(10 * 60_000)
await scheduler.stop()
console.log(`ran ${runs} times`)
