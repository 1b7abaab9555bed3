import { memoryStorage, SchedulerAlreadyActiveError, type Storage } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from '../world.js'
import { rejectionOf } from './rejection.js'
import { changed, dumpOf } from './stored.js'

/** A storage that opens when the gate does. */
function heldUp(gate: Gate): Storage {
  const inner = memoryStorage()
  return changed(inner, { open: () => gate.passed.then(() => inner.open()) })
}

const calls = (world: World): string[] =>
  world.eventTypes().filter((type) => /^Scheduler/.test(type))

describe('uninitialized', () => {
  it('nothing is stored or started before initialize', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    world.scheduler()
    await world.minutes(5)
    expect(world.events).toEqual([])
    expect(world.clock.pending).toBe(0)
    expect((await dumpOf(world.storage)).schedulerId).toBeNull()
  })

  it('becomes initializing, with SchedulerInitializationStarted', async () => {
    const gate = new Gate()
    const storage = heldUp(gate)
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    const initialized = scheduler.initialize([world.task('a', '0 * * * *')])
    await world.settled()
    expect(world.events).toMatchObject([
      { type: 'SchedulerInitializationStarted', registrations: 1 },
    ])
    expect(world.attempts).toEqual([])
    gate.open()
    await initialized
    await scheduler.stop()
  })
})

describe('initializing', () => {
  it('becomes running, with SchedulerInitializationCompleted', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *'), world.task('b', '5 * * * *')])
    expect(calls(world)).toEqual([
      'SchedulerInitializationStarted',
      'SchedulerInitializationCompleted',
    ])
    expect((await dumpOf(world.storage)).tasks.map(({ name }) => name)).toEqual(['a', 'b'])
    await world.minutes(5)
    expect(world.attempts.map(({ task }) => task)).toEqual(['a', 'b'])
    await scheduler.stop()
  })

  it('becomes uninitialized again, with SchedulerInitializationFailed', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const error = await rejectionOf(
      scheduler.initialize([world.task('a', '0 * * * *'), world.task('b', 'never')]),
    )
    expect(world.events.at(-1)).toMatchObject({ type: 'SchedulerInitializationFailed', error })
    expect(calls(world)).toEqual([
      'SchedulerInitializationStarted',
      'SchedulerInitializationFailed',
    ])
    expect(await dumpOf(world.storage)).toEqual({ schedulerId: null, instanceId: null, tasks: [] })
    await world.minutes(90)
    expect(world.attempts).toEqual([])
    expect(world.clock.pending).toBe(0)
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await world.until('2026-03-02T12:00:00Z')
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T12:00:00Z'])
    await scheduler.stop()
  })

  it('refuses to initialize, as "initializing", without an event', async () => {
    const gate = new Gate()
    const storage = heldUp(gate)
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    const first = scheduler.initialize([world.task('a', '0 * * * *')])
    const heard = world.events.length
    const error = await rejectionOf(scheduler.initialize([world.task('b', '0 * * * *')]))
    expect(error).toBeInstanceOf(SchedulerAlreadyActiveError)
    expect(error.details).toEqual({ currentState: 'initializing' })
    expect(world.events).toHaveLength(heard)
    gate.open()
    await first
    await world.settled()
    expect(world.attempts.map(({ task }) => task)).toEqual(['a'])
    await scheduler.stop()
  })
})

describe('running', () => {
  it('refuses to initialize, as "running", without an event', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '5 * * * *')])
    const heard = world.events.length
    const error = await rejectionOf(scheduler.initialize([world.task('b', '5 * * * *')]))
    expect(error).toBeInstanceOf(SchedulerAlreadyActiveError)
    expect(error.details).toEqual({ currentState: 'running' })
    expect(world.events).toHaveLength(heard)
    await world.minutes(5)
    expect(world.attempts.map(({ task }) => task)).toEqual(['a'])
    await scheduler.stop()
  })

  it('becomes stopping, with SchedulerStopRequested, and waits for what runs', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const gate = new Gate()
    const scheduler = world.scheduler()
    await scheduler.initialize([
      world.task('a', '0 * * * *', () => gate.passed),
      world.task('b', '2 * * * *'),
    ])
    await world.minutes(1)
    let isStopped = false
    const stopped = scheduler.stop().then(() => {
      isStopped = true
    })
    try {
      expect(world.events).toContainEqual(
        expect.objectContaining({ type: 'SchedulerStopRequested', runningTasks: 1 }),
      )
      await world.minutes(5)
      expect(isStopped).toBe(false)
      expect(world.eventTypes()).not.toContain('SchedulerStopped')
      expect(world.attempts.map(({ task }) => task)).toEqual(['a'])
    } finally {
      gate.open()
      await stopped
    }
  })
})

describe('stopping and stopped', () => {
  it('stopping becomes stopped, with SchedulerStopped, when all has ended', async () => {
    let closed = 0
    const inner = memoryStorage()
    const storage = changed(inner, {
      close: () => {
        closed++
        return inner.close()
      },
    })
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *', () => world.clock.sleep(90_000))])
    await world.settled()
    const stopped = scheduler.stop()
    await world.minutes(2)
    await stopped
    expect(world.eventTypes().slice(-3)).toEqual([
      'TaskRunCompleted',
      'PollingStopped',
      'SchedulerStopped',
    ])
    expect(closed).toBe(1)
    expect(world.clock.pending).toBe(0)
  })

  it('stopped has no polling and starts nothing', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *')])
    await scheduler.stop()
    const heard = world.events.length
    await world.minutes(10)
    expect(world.attempts).toEqual([])
    expect(world.events).toHaveLength(heard)
  })

  it('stopped can be initialized again on the same object', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '5 * * * *')])
    await scheduler.stop()
    await scheduler.initialize([world.task('a', '5 * * * *')])
    await world.minutes(5)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:05:00Z'])
    await scheduler.stop()
    expect(calls(world).slice(0, 4)).toEqual([
      'SchedulerInitializationStarted',
      'SchedulerInitializationCompleted',
      'SchedulerStopRequested',
      'SchedulerStopped',
    ])
    expect(calls(world).slice(4)).toEqual(calls(world).slice(0, 4))
  })
})
