import { memoryStorage, type Scheduler, type Storage } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from './world.js'

type Call = 'open' | 'change' | 'save' | 'close'

/** A storage whose calls wait, from when one of them is told to, until they are let go. */
function hangingWorld(start: string, place = '/var/lib/tasks.db') {
  const inner = memoryStorage()
  const hanging = new Set<Call>()
  const waiting: (() => void)[] = []
  const pass = async (call: Call, work: () => Promise<void>): Promise<void> => {
    if (hanging.has(call)) await new Promise<void>((resolve) => waiting.push(resolve))
    await work()
  }
  const storage: Storage = {
    place,
    open: () => pass('open', () => inner.open()),
    change: (decide) => pass('change', () => inner.change(decide)),
    save: (...args) => pass('save', () => inner.save(...args)),
    close: () => pass('close', () => inner.close()),
  }
  const world = new World(start, { storage })
  const letGo = (): void => {
    hanging.clear()
    for (const resolve of waiting.splice(0)) resolve()
  }
  return { world, hanging, letGo }
}

function watch(promise: Promise<unknown>): { done: boolean } {
  const state = { done: false }
  void promise.then(() => {
    state.done = true
  })
  return state
}

describe('a storage that does not answer', () => {
  it('is reported after half a minute, and then less and less often', async () => {
    const warnings: string[] = []
    const warn = (sentence: string) => void warnings.push(sentence)
    const { world, hanging, letGo } = hangingWorld('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler({ logger: { warn } })
    await scheduler.initialize([world.task('a', '1 10 * * *')])
    hanging.add('save')
    await world.minutes(10)
    expect(world.attempts).toEqual([])
    const told = world.eventsOf('StorageUnresponsive')
    expect(told.map(({ time, silentMs }) => [time.toISOString().slice(11, 19), silentMs])).toEqual([
      ['10:01:30', 30_000],
      ['10:02:30', 90_000],
      ['10:04:30', 210_000],
      ['10:08:30', 450_000],
    ])
    expect(told[0]).toMatchObject({ operation: 'save', place: '/var/lib/tasks.db' })
    expect(warnings[0]).toBe(
      'the storage has not answered save in /var/lib/tasks.db for 30 s: ' +
        'nothing starts until it does',
    )
    letGo()
    await world.settled()
    expect(world.attempts).toHaveLength(1)
    await world.minutes(60)
    expect(world.eventsOf('StorageUnresponsive')).toHaveLength(4)
    await scheduler.stop()
  })

  it('in initialize is reported, and a stop waits for the initialization as it must', async () => {
    const { world, hanging, letGo } = hangingWorld('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    hanging.add('change')
    const initialized = scheduler.initialize([world.task('a', '* * * * *')])
    const stopped = watch(scheduler.stop())
    await world.minutes(2)
    expect(stopped.done).toBe(false)
    expect(world.eventsOf('StorageUnresponsive')[0]).toMatchObject({ operation: 'initialize' })
    letGo()
    await initialized
    await world.settled()
    expect(stopped.done).toBe(true)
    expect(world.attempts).toEqual([])
  })
})

describe('a stop while the storage does not answer', () => {
  async function stopping(): Promise<{
    world: World
    scheduler: Scheduler
    stopped: { done: boolean }
    letGo: () => void
  }> {
    const { world, hanging, letGo } = hangingWorld('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const run = new Gate()
    await scheduler.initialize([world.task('a', '0 * * * *', () => run.passed)])
    await world.settled()
    hanging.add('save')
    run.open()
    await world.minutes(2)
    const stopped = watch(scheduler.stop())
    return { world, scheduler, stopped, letGo }
  }

  it('goes on without it after half a minute, and says what was not written', async () => {
    const { world, stopped } = await stopping()
    await world.clock.advanceBy(29_000)
    expect(stopped.done).toBe(false)
    await world.clock.advanceBy(1000)
    expect(stopped.done).toBe(true)
    expect(world.eventsOf('StorageFailed')).toMatchObject([
      {
        retryAt: null,
        failure: {
          message:
            'Storage failed to save task "a" in /var/lib/tasks.db: ' +
            'no answer within 30 s of the stop',
        },
      },
    ])
    expect(world.eventTypes().at(-1)).toBe('SchedulerStopped')
    expect(world.eventsOf('TaskRunCompleted')).toEqual([])
  })

  it('waits for callbacks all the same', async () => {
    const { world, hanging } = hangingWorld('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const [long, short] = [new Gate(), new Gate()]
    await scheduler.initialize([
      world.task('long', '0 * * * *', () => long.passed),
      world.task('short', '0 * * * *', () => short.passed),
    ])
    await world.settled()
    hanging.add('save')
    short.open()
    const stopped = watch(scheduler.stop())
    await world.minutes(10)
    expect(stopped.done).toBe(false)
    long.open()
    await world.minutes(1)
    expect(stopped.done).toBe(true)
  })

  it('loses nothing for the same scheduler, which writes the end when it starts again', async () => {
    const { world, scheduler, letGo } = await stopping()
    await world.minutes(1)
    letGo()
    await world.settled()
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await world.minutes(1)
    expect(world.attempts).toHaveLength(1)
    await scheduler.stop()
  })

  it('is not undone by an answer that comes after the next start', async () => {
    const { world, hanging, letGo } = hangingWorld('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    const tasks = [world.task('a', '* * * * *')]
    await scheduler.initialize(tasks)
    hanging.add('save')
    // The start of 10:01 hangs, is given up, and would say at 10:04 that the task still runs.
    await world.minutes(1)
    const stopped = watch(scheduler.stop())
    await world.minutes(1)
    expect(stopped.done).toBe(true)
    hanging.clear()
    await scheduler.initialize(tasks)
    await world.minutes(1)
    letGo()
    await world.settled()
    await scheduler.stop()
    const attempts = world.attempts.length
    const next = world.scheduler()
    await next.initialize(tasks)
    await world.settled()
    const events = world.eventsOf('SchedulerInitializationCompleted')
    expect(events.at(-1)).toMatchObject({ preservedTasks: 1, orphanedTasks: 0 })
    expect(world.attempts).toHaveLength(attempts)
    await next.stop()
  })

  it('goes on though it can not be closed either', async () => {
    const { world, hanging } = hangingWorld('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *')])
    hanging.add('close')
    const stopped = watch(scheduler.stop())
    await world.minutes(1)
    expect(stopped.done).toBe(true)
    expect(world.eventsOf('StorageUnresponsive')).toMatchObject([{ operation: 'close' }])
  })
})
