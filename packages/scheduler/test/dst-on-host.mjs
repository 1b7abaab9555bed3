/** Runs tasks over a stretch of virtual time, and prints when each ran. */
import { createScheduler, Duration, memoryStorage } from '../dist/index.js'
import { VirtualClock } from '../dist/testing/index.js'

const [from, to, ...expressions] = process.argv.slice(2)
const clock = new VirtualClock(new Date(from), { quietTurns: 1 })
const timeZone = process.env['KRON_ZONE']
const scheduler = createScheduler({
  storage: memoryStorage(),
  clock,
  ...(timeZone !== undefined && { timeZone }),
})
const runs = expressions.map(() => [])
await scheduler.initialize(
  expressions.map((expression, index) => [
    expression,
    expression,
    async () => void runs[index].push(clock.now().getTime()),
    Duration.minutes(5),
  ]),
)
await clock.runUntil(new Date(to))
await scheduler.stop()
process.stdout.write(JSON.stringify(runs))
