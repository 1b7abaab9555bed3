import { createScheduler, memoryStorage, type Scheduler } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World, watch } from './world.js'

describe('stop with callbacks that stop as well', () => {
  it('waits for one that awaited it and went on, though initialize failed since', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler: Scheduler = world.scheduler()
    const [stoppedInside, after] = [new Gate(), new Gate()]
    await scheduler.initialize([
      world.task('a', '0 10 * * *', async () => {
        await scheduler.stop()
        stoppedInside.open()
        await after.passed
      }),
    ])
    await world.settled()
    await stoppedInside.passed
    const { storage } = world
    const { open } = storage
    storage.open = () => Promise.reject(new Error('disk on fire'))
    await expect(scheduler.initialize([world.task('a', '0 10 * * *')])).rejects.toThrow('disk on')
    storage.open = open
    const outside = watch(scheduler.stop())
    await world.minutes(5)
    expect(outside.done).toBe(false)
    after.open()
    await world.settled()
    expect(outside.done).toBe(true)
    // Its end is written by the next initialization: it is no orphan.
    await scheduler.initialize([world.task('a', '0 10 * * *')])
    await world.minutes(1)
    expect(world.attempts).toHaveLength(1)
    expect(world.eventsOf('SchedulerInitializationCompleted').at(-1)).toMatchObject({
      orphanedTasks: 0,
    })
    await scheduler.stop()
  })

  it('of two schedulers that stop each other ends for both', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const schedulers: Scheduler[] = []
    const ended: string[] = []
    const stopping = (name: string, other: number) =>
      world.task(name, '0 10 * * *', async () => {
        await world.clock.sleep(1000)
        await schedulers[other]!.stop()
        ended.push(name)
      })
    const options = { clock: world.clock, timeZone: 'UTC', logger: {} }
    for (let index = 0; index < 2; index++) {
      schedulers.push(createScheduler({ ...options, storage: memoryStorage() }))
    }
    await schedulers[0]!.initialize([stopping('a', 1)])
    await schedulers[1]!.initialize([stopping('b', 0)])
    await world.minutes(1)
    expect(ended.sort()).toEqual(['a', 'b'])
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()))
  })

  it('of three schedulers in a circle ends for all, and waits for a callback beside them', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const schedulers: Scheduler[] = []
    const ended: string[] = []
    const beside = new Gate()
    const options = { clock: world.clock, timeZone: 'UTC', logger: {} }
    for (let index = 0; index < 3; index++) {
      schedulers.push(createScheduler({ ...options, storage: memoryStorage() }))
    }
    for (const [index, scheduler] of schedulers.entries()) {
      const circle = world.task('circle', '0 10 * * *', async () => {
        await world.clock.sleep(1000)
        await schedulers[(index + 1) % 3]!.stop()
        ended.push(`${index}`)
      })
      const other = world.task('beside', '0 10 * * *', () => beside.passed)
      await scheduler.initialize(index === 1 ? [circle, other] : [circle])
    }
    await world.minutes(1)
    // The first waits for the second, where a callback runs that waits for nobody.
    expect(ended).not.toContain('0')
    beside.open()
    await world.minutes(1)
    expect(ended.sort()).toEqual(['0', '1', '2'])
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()))
  })

  it('of another scheduler waits for its callbacks, and is whole when it returns', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const types: string[] = []
    const onEvent = ({ type }: { type: string }) => void types.push(type)
    const options = { clock: world.clock, timeZone: 'UTC', logger: {} }
    const other = createScheduler({ ...options, storage: memoryStorage(), onEvent })
    const run = new Gate()
    await other.initialize([world.task('b', '0 10 * * *', () => run.passed)])
    const scheduler = world.scheduler()
    let stopped = { done: false }
    await scheduler.initialize([
      world.task('a', '0 10 * * *', async () => {
        const stop = other.stop()
        stopped = watch(stop)
        await stop
      }),
    ])
    await world.minutes(1)
    expect(stopped.done).toBe(false)
    run.open()
    await world.settled()
    expect(stopped.done).toBe(true)
    expect(types.at(-1)).toBe('SchedulerStopped')
    await scheduler.stop()
  })
})

describe('a shutdown that a callback calls', () => {
  /** A task that calls `shutdown` in some way, and works on until the gate opens. */
  async function shuttingDown(
    call: (shutdown: () => Promise<void>, work: Promise<void>) => unknown,
  ) {
    const world = new World('2026-03-02T10:00:00Z')
    const work = new Gate()
    const state = { isDown: false, hasEnded: false }
    const warnings: string[] = []
    const logger = { warn: (sentence: string) => void warnings.push(sentence) }
    const scheduler: Scheduler = world.scheduler({ logger })
    const shutdown = async (): Promise<void> => {
      await scheduler.stop()
      state.isDown = true
    }
    await scheduler.initialize([
      world.task('a', '0 10 * * *', async () => {
        await call(shutdown, work.passed)
        state.hasEnded = true
      }),
    ])
    await world.settled()
    return { world, work, state, warnings }
  }

  const notAwaited: [how: string, call: (shutdown: () => Promise<void>) => void][] = [
    ['dropped', (shutdown) => void shutdown()],
    ['caught', (shutdown) => void shutdown().catch(() => undefined)],
    ['chained', (shutdown) => void shutdown().then(() => undefined)],
  ]
  it.each(notAwaited)('and whose promise is %s waits for that callback', async (_, call) => {
    const { world, work, state } = await shuttingDown((shutdown, passed) => {
      call(shutdown)
      return passed
    })
    await world.clock.advanceBy(50_000)
    expect(state).toEqual({ isDown: false, hasEnded: false })
    work.open()
    await world.minutes(1)
    expect(state).toEqual({ isDown: true, hasEnded: true })
  })

  const awaited: [how: string, call: (shutdown: () => Promise<void>) => Promise<unknown>][] = [
    ['awaits', async (shutdown) => await shutdown()],
    ['returns', (shutdown) => shutdown()],
    ['awaits among others', (shutdown) => Promise.all([shutdown(), Promise.resolve()])],
    [
      'awaits later',
      async (shutdown) => {
        const down = shutdown()
        await null
        await down
      },
    ],
  ]
  it.each(awaited)('and %s does not wait for that callback', async (_, call) => {
    const { world, state } = await shuttingDown(call)
    await world.clock.advanceBy(5000)
    expect(state).toEqual({ isDown: true, hasEnded: true })
  })

  it('and others await too is not waited for after a minute, with a word', async () => {
    const { world, state, warnings } = await shuttingDown(async (shutdown) => {
      const down = shutdown()
      const other = (async () => await down)()
      await down
      await other
    })
    await world.clock.advanceBy(50_000)
    expect(state.isDown).toBe(false)
    await world.minutes(1)
    expect(state).toEqual({ isDown: true, hasEnded: true })
    expect(warnings).toEqual([
      'stop was called by task "a", which still runs: stop returns now, since the task may be ' +
        'waiting for it',
    ])
  })
})
