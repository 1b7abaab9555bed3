/**
 * Two tasks with their state in a file.
 *
 *   node minimal.mjs
 */
import { createScheduler, Duration, sqliteStorage } from '@kron/scheduler'

const scheduler = createScheduler({
  storage: sqliteStorage('./tasks.db'),
  timeZone: 'Europe/Paris',
})

// After this no task starts, and running ones may end. Then the process ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => scheduler.stop())

console.log('Ctrl-C stops it.')
await scheduler.initialize([
  // Every minute; after a failure again in 30 seconds.
  ['hello', '* * * * *', async () => console.log('hello'), Duration.seconds(30)],
  // At 9 on weekdays, also when the process was down then: once, as soon as it is back.
  ['report', '0 9 * * 1-5', async () => console.log('report'), Duration.minutes(5)],
])
