/**
 * A process with a scheduler of a thousand tasks on a database, on a clock that runs faster than
 * real time. It writes what it does to a log, line by line, and expects to be killed at any moment.
 */
import { openSync, writeSync } from 'node:fs'
import { createScheduler, Duration, sqliteStorage } from '../../dist/index.js'

const { database, log, tasks, epoch, speed, seed } = JSON.parse(process.argv[2])

const now = () => epoch.virtual + Math.floor((Date.now() - epoch.real) * speed)
/**
 * What the scheduler read last. A callback is called right after, yet on so fast a clock the minute
 * may have turned when it reads the time itself, and the run would seem to be for that one.
 */
let read = epoch.virtual
const clock = {
  now: () => {
    read = now()
    return new Date(read)
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, Math.ceil(ms / speed))
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}

const descriptor = openSync(log, 'a')
const write = (line) => writeSync(descriptor, `${JSON.stringify(line)}\n`)

let state = seed
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 2 ** 32
}

const callbackOf = (task) => async () => {
  write({ event: 'RS', at: read, task })
  const lasts = random()
  if (lasts < 0.3) await new Promise((resolve) => setTimeout(resolve, lasts * 1000))
  const succeeds = random() < 0.85
  write({ event: succeeds ? 'REs' : 'REf', at: now(), task })
  if (!succeeds) throw new Error('failed')
}

const storage = sqliteStorage(database)
const scheduler = createScheduler({
  storage,
  clock,
  timeZone: 'UTC',
  logger: { debug() {}, info() {}, warn() {}, error() {} },
})
write({ event: 'IS', at: now(), call: 1, tasks, valid: true })
await scheduler.initialize(
  tasks.map(({ name, expression, retryDelayMs }) => [
    name,
    expression,
    callbackOf(name),
    Duration.ms(retryDelayMs),
  ]),
)
write({ event: 'IEs', at: now(), call: 1 })

process.once('SIGTERM', async () => {
  write({ event: 'SS', at: now(), call: 2 })
  await scheduler.stop()
  write({ event: 'SE', at: now(), call: 2 })
  process.exit(0)
})
