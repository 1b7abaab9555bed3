/**
 * Two tasks, and their state in a file.
 *
 *   node minimal.mjs
 */
import { createScheduler, Duration, sqliteStorage } from '@kron/scheduler'

const scheduler = createScheduler({
  storage: sqliteStorage('./tasks.db'),
  timeZone: 'Europe/Paris',
})

// Nothing starts after this, and what runs may end. The process ends by itself then.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => scheduler.stop())

console.log('Ctrl-C stops it.')
await scheduler.initialize([
  // Every minute; after a failure again in 30 seconds.
  ['hello', '* * * * *', async () => console.log('hello'), Duration.seconds(30)],
  // At 9 on weekdays, also when the process was down then: once, as soon as it is back.
  ['report', '0 9 * * 1-5', async () => console.log('report'), Duration.minutes(5)],
])
