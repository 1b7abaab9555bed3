import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScheduler, Duration, type SchedulerEvent, sqliteStorage } from '@kron/scheduler'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Gate } from '../world.js'
import { Child } from './child.js'

let folder: string
let database: string
let locker: Child | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-busy-'))
  database = join(folder, 'tasks.db')
})
afterEach(async () => {
  await locker?.kill()
  locker = undefined
  rmSync(folder, { recursive: true })
})

/** Until it is told to let go. */
async function locked(): Promise<Child> {
  locker = new Child('locking-process.mjs', database)
  expect(await locker.next()).toBe('locked')
  return locker
}

/** Its task runs from its initialization until `run` opens, on a clock that stands still. */
function schedulerWith(run: Gate, onEvent: (event: SchedulerEvent) => void = () => undefined) {
  const scheduler = createScheduler({
    storage: sqliteStorage(database),
    timeZone: 'UTC',
    logger: {},
    onEvent,
    clock: {
      now: () => new Date('2026-03-02T10:00:30Z'),
      sleep: (_, signal) =>
        new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    },
  })
  const initialize = () =>
    scheduler.initialize([['a', '* * * * *', () => run.passed, Duration.minutes(1)]])
  return { scheduler, initialize }
}

/**
 * The lock is given up only when this process says so, after its call and in another turn of the
 * event loop. A call that blocked the loop would never see that, and fail.
 */
describe('a file that another process has locked', () => {
  it('keeps initialize waiting, and the event loop running', async () => {
    const run = new Gate()
    const { scheduler, initialize } = schedulerWith(run)
    await initialize()
    run.open()
    await scheduler.stop()
    const locker = await locked()
    const initialized = initialize()
    setImmediate(() => locker.order('let go'))
    await initialized
    await scheduler.stop()
  })

  it('keeps writes waiting, and the event loop running', async () => {
    const storage = sqliteStorage(database)
    await storage.open()
    await storage.change(() => ({
      schedulerId: 'scheduler',
      instanceId: 'first',
      watched: '',
      removed: [],
      added: [],
      replaced: [],
    }))
    const locker = await locked()
    const saved = storage.save('first', [], 'seen')
    setImmediate(() => locker.order('let go'))
    await saved
    await storage.close()
  })

  it('keeps stop waiting, which records what ended and leaves the event loop running', async () => {
    const run = new Gate()
    const events: SchedulerEvent[] = []
    const { scheduler, initialize } = schedulerWith(run, (event) => void events.push(event))
    await initialize()
    const locker = await locked()
    run.open()
    const stopped = scheduler.stop()
    setImmediate(() => locker.order('let go'))
    await stopped
    const types = events.map(({ type }) => type)
    expect(types).toContain('TaskRunCompleted')
    expect(types).not.toContain('StorageFailed')
    expect(types.at(-1)).toBe('SchedulerStopped')
  })

  it('for long is a failure that is told, and a stop ends all the same', async () => {
    const run = new Gate()
    const events: SchedulerEvent[] = []
    const { scheduler, initialize } = schedulerWith(run, (event) => void events.push(event))
    await initialize()
    await locked()
    run.open()
    let turns = 0
    const counting = setInterval(() => turns++, 1)
    await scheduler.stop()
    clearInterval(counting)
    expect(turns).toBeGreaterThan(10)
    const failures = events.filter(({ type }) => type === 'StorageFailed')
    expect(failures[0]).toMatchObject({
      error: { name: 'StorageError', details: { cause: { code: 'SQLITE_BUSY' } } },
    })
    expect(events.at(-1)!.type).toBe('SchedulerStopped')
  })
})
