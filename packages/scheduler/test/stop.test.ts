import type { Scheduler } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World, watch } from './world.js'

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
