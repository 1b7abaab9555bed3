import { createScheduler, memoryStorage, type Scheduler } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from './world.js'

/** Whether a promise has settled by now. */
function watch(promise: Promise<unknown>): { done: boolean } {
  const state = { done: false }
  const settle = () => {
    state.done = true
  }
  promise.then(settle, settle)
  return state
}

describe('stop called from inside a callback', () => {
  it('resolves there without waiting for that callback, and elsewhere after it', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler: Scheduler = world.scheduler()
    const after = new Gate()
    const reached = new Gate()
    await scheduler.initialize([
      world.task('a', '0 10 * * *', async () => {
        await scheduler.stop()
        reached.open()
        await after.passed
      }),
    ])
    await world.settled()
    await reached.passed
    const outside = watch(scheduler.stop())
    await world.minutes(5)
    expect(outside.done).toBe(false)
    after.open()
    await world.settled()
    expect(outside.done).toBe(true)
    expect(world.eventTypes().slice(-3)).toEqual([
      'TaskRunCompleted',
      'PollingStopped',
      'SchedulerStopped',
    ])
  })

  it('waits for the others', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler: Scheduler = world.scheduler()
    const other = new Gate()
    let stopped = { done: false }
    await scheduler.initialize([
      world.task('a', '0 10 * * *', async () => {
        await world.clock.sleep(1000)
        const stop = scheduler.stop()
        stopped = watch(stop)
        await stop
      }),
      world.task('b', '0 10 * * *', () => other.passed),
    ])
    await world.minutes(5)
    expect(stopped.done).toBe(false)
    other.open()
    await world.settled()
    expect(stopped.done).toBe(true)
    await scheduler.stop()
    expect(world.attempts).toHaveLength(2)
  })

  it('by two of them at once keeps neither waiting for the other', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler: Scheduler = world.scheduler()
    const callback = async () => {
      await world.clock.sleep(1000)
      await scheduler.stop()
    }
    await scheduler.initialize([
      world.task('a', '0 10 * * *', callback),
      world.task('b', '0 10 * * *', callback),
    ])
    await world.minutes(1)
    await scheduler.stop()
    expect(world.eventsOf('TaskRunCompleted')).toHaveLength(2)
    expect(world.eventTypes().at(-1)).toBe('SchedulerStopped')
  })

  it('at once, keeps those of the same minute that were not called yet from starting', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler: Scheduler = world.scheduler()
    await scheduler.initialize([
      world.task('a', '0 10 * * *', () => scheduler.stop()),
      world.task('b', '0 10 * * *'),
    ])
    await world.settled()
    await scheduler.stop()
    expect(world.attempts.map(({ task }) => task)).toEqual(['a'])
    // b was not started, so it is still the minute of its first run.
    const again = world.scheduler()
    await again.initialize([world.task('a', '0 10 * * *'), world.task('b', '0 10 * * *')])
    await world.settled()
    expect(world.attempts.map(({ task }) => task)).toEqual(['a', 'b'])
    await again.stop()
  })

  it('may be followed by initialize there, and the callback is not started beside itself', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler: Scheduler = world.scheduler()
    const after = new Gate()
    const again = [world.task('a', '* * * * *'), world.task('b', '* * * * *')]
    await scheduler.initialize([
      world.task('a', '* * * * *', async () => {
        await scheduler.stop()
        await scheduler.initialize(again)
        await after.passed
      }),
    ])
    await world.minutes(2)
    expect(world.attempts).toEqual([
      { task: 'a', at: '2026-03-02T10:00:00Z' },
      { task: 'b', at: '2026-03-02T10:00:00Z' },
      { task: 'b', at: '2026-03-02T10:01:00Z' },
      { task: 'b', at: '2026-03-02T10:02:00Z' },
    ])
    after.open()
    await world.settled()
    // A minute fell into the run, so it is owed.
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:02:00Z'])
    await scheduler.stop()
    expect(world.eventTypes().at(-1)).toBe('SchedulerStopped')
  })

  it('and not awaited before initialize there resolves all the same', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler: Scheduler = world.scheduler()
    let stopped = { done: false }
    await scheduler.initialize([
      world.task('a', '0 10 * * *', async () => {
        await world.clock.sleep(1000)
        stopped = watch(scheduler.stop())
        await scheduler.initialize([world.task('b', '0 10 * * *')])
      }),
    ])
    await world.minutes(1)
    expect(stopped.done).toBe(true)
    expect(world.attempts.map(({ task }) => task)).toEqual(['a', 'b'])
    await scheduler.stop()
  })

  it('and initialize with a list without it lets the callback end, and stop waits for it', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler: Scheduler = world.scheduler()
    const after = new Gate()
    await scheduler.initialize([
      world.task('a', '* * * * *', async () => {
        await scheduler.stop()
        await scheduler.initialize([world.task('b', '0 11 * * *')])
        await after.passed
      }),
    ])
    await world.minutes(1)
    const stopped = watch(scheduler.stop())
    await world.settled()
    expect(stopped.done).toBe(false)
    after.open()
    await world.settled()
    expect(stopped.done).toBe(true)
    expect(world.attempts).toHaveLength(1)
  })
})

describe('stop', () => {
  it('called after the run of a callback that went on elsewhere is like any other', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler: Scheduler = world.scheduler()
    const other = new Gate()
    let later: Promise<void> | null = null
    await scheduler.initialize([
      world.task('a', '0 10 * * *', () => {
        later = world.clock.sleep(60_000).then(() => scheduler.stop())
      }),
      world.task('b', '0 10 * * *', () => other.passed),
    ])
    await world.minutes(2)
    const stopped = watch(later!)
    await world.settled()
    expect(stopped.done).toBe(false)
    other.open()
    await world.settled()
    expect(stopped.done).toBe(true)
  })

  it('without an initialization before it does nothing', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    await world.scheduler().stop()
    expect(world.events).toEqual([])
  })

  it('during initialize waits for it, and nothing starts', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const initialized = scheduler.initialize([world.task('a', '* * * * *')])
    const stopped = scheduler.stop()
    await Promise.all([initialized, stopped])
    await world.minutes(3)
    expect(world.attempts).toEqual([])
    expect(world.eventTypes()).toEqual([
      'SchedulerInitializationStarted',
      'PollingStarted',
      'SchedulerInitializationCompleted',
      'SchedulerStopRequested',
      'PollingStopRequested',
      'PollingStopped',
      'SchedulerStopped',
    ])
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.minutes(1)
    expect(world.attempts).toHaveLength(2)
    await scheduler.stop()
  })

  it('during an initialize that fails resolves', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const initialized = scheduler.initialize([world.task('a', 'x * * * *')])
    const stopped = scheduler.stop()
    await expect(initialized).rejects.toThrow('minute field')
    await stopped
  })

  it('while tasks run on, keeps initialize from beginning', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const run = new Gate()
    await scheduler.initialize([world.task('a', '0 10 * * *', () => run.passed)])
    await world.settled()
    const stopped = scheduler.stop()
    await expect(scheduler.initialize([world.task('b', '0 10 * * *')])).rejects.toMatchObject({
      name: 'SchedulerAlreadyActiveError',
      details: { currentState: 'stopping' },
    })
    run.open()
    await stopped
    await scheduler.initialize([world.task('b', '0 10 * * *')])
    await world.settled()
    expect(world.attempts.map(({ task }) => task)).toEqual(['a', 'b'])
    await scheduler.stop()
  })

  it('need not be awaited before initialize when nothing runs', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 11 * * *')])
    await world.settled()
    const stopped = scheduler.stop()
    const again = scheduler.initialize([world.task('b', '0 10 * * *')])
    const besides = scheduler.initialize([world.task('c', '0 10 * * *')])
    besides.catch(() => undefined)
    await expect(scheduler.initialize([world.task('d', 'x')])).rejects.toThrow('exactly 5 fields')
    await stopped
    await again
    await expect(besides).rejects.toMatchObject({ name: 'SchedulerAlreadyActiveError' })
    await world.settled()
    expect(world.attempts.map(({ task }) => task)).toEqual(['b'])
    await scheduler.stop()
  })
})

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
      'stop was called by task "a", which still runs; it returns, since the task may wait for it',
    ])
  })
})
