/**
 * A process with a scheduler on a database, whose clock stands still. It tells its parent what
 * happens, and does what it is told; its callbacks end when they are told to.
 */
import { createScheduler, Duration, sqliteStorage } from '../../dist/index.js'

const { database, schedule, whenInUse, now, tasks } = JSON.parse(process.argv[2])

const tell = (line) => process.send(line)
let endRuns
const ended = new Promise((resolve) => {
  endRuns = resolve
})

const scheduler = createScheduler({
  storage: sqliteStorage(database, { schedule }),
  whenInUse,
  timeZone: 'UTC',
  logger: {},
  clock: {
    now: () => new Date(now),
    sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  },
  onEvent: (event) => {
    if (event.type === 'StorageFailed') tell(`failed ${event.error.code}`)
    if (event.type === 'TaskRunStarted') tell(`${event.taskName} starts, ${event.reason}`)
  },
})

async function initialize() {
  try {
    const run = () => ended
    await scheduler.initialize(tasks.map((name) => [name, '* * * * *', run, Duration.hours(1)]))
    tell('initialized')
  } catch ({ name, code, message, details }) {
    tell({ name, code, message, details })
  }
}

const orders = {
  initialize,
  end: () => endRuns(),
  stop: async () => {
    await scheduler.stop()
    tell('stopped')
  },
}
process.on('message', (order) => orders[order]())
