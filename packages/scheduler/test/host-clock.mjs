/**
 * Runs tasks without a zone over a stretch of virtual time, and prints when each ran, when the clock
 * of this process showed its minute, and what was told about the zone, in two initializations.
 */
import { createScheduler, Duration, memoryStorage } from '../dist/index.js'
import { VirtualClock } from '../dist/testing/index.js'

const [from, to, ...expressions] = process.argv.slice(2)
const clock = new VirtualClock(new Date(from), { quietTurns: 1 })
const told = []
const logged = []
const scheduler = createScheduler({
  storage: memoryStorage(),
  clock,
  logger: { warn: (text) => void logged.push(text) },
  onEvent: ({ type, ...rest }) => {
    if (type.startsWith('HostZone')) told.push({ type, ...rest })
  },
})
const runs = expressions.map(() => [])
const registrations = expressions.map((expression, index) => [
  expression,
  expression,
  async () => void runs[index].push(clock.now().getTime()),
  Duration.minutes(5),
])
await scheduler.initialize(registrations)
await scheduler.stop()
await scheduler.initialize(registrations)
await clock.runUntil(new Date(to))
await scheduler.stop()

const shown = expressions.map((expression) => {
  const [minute, hour] = expression.split(' ').map(Number)
  const found = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 60_000) {
    const date = new Date(at)
    if (date.getMinutes() === minute && date.getHours() === hour) found.push(at)
  }
  return found
})
process.stdout.write(JSON.stringify({ runs, shown, told, logged }))
