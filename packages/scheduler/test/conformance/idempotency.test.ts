import { memoryStorage, SchedulerAlreadyActiveError, type Storage } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { changed, dumpOf } from './stored.js'

describe('initialize again', () => {
  it('with the same registrations has no effect', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    const tasks = [world.task('a', '5 * * * *'), world.task('b', '* * * * *')]
    await scheduler.initialize(tasks)
    await world.settled()
    const before = await dumpOf(world.storage)
    const heard = world.events.length
    for (let count = 0; count < 3; count++) {
      const again = scheduler.initialize(tasks)
      await expect(again).rejects.toBeInstanceOf(SchedulerAlreadyActiveError)
    }
    expect(await dumpOf(world.storage)).toEqual(before)
    expect(world.events).toHaveLength(heard)
    await scheduler.stop()
  })

  it('does not schedule a task twice', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    const tasks = [world.task('a', '* * * * *')]
    await scheduler.initialize(tasks)
    await scheduler.initialize(tasks).catch(() => undefined)
    await scheduler.initialize(tasks).catch(() => undefined)
    await world.until('2026-03-02T10:05:30Z')
    expect(world.attempts).toHaveLength(5 + 1)
    await scheduler.stop()
  })

  it('does not schedule a task twice after stops either', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    for (let count = 0; count < 4; count++) {
      await scheduler.initialize([world.task('a', '* * * * *')])
      await world.settled()
      await scheduler.stop()
    }
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.until('2026-03-02T10:03:00Z')
    expect(world.attempts).toHaveLength(4)
    expect((await dumpOf(world.storage)).tasks).toHaveLength(1)
    await scheduler.stop()
  })

  it('detects what was overridden, time after time', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    const expressions = ['5 * * * *', '5 * * * *', '6 * * * *', '6 * * * *', '5 * * * *']
    for (const expression of expressions) {
      await scheduler.initialize([world.task('a', expression)])
      await scheduler.initialize([world.task('a', '9 * * * *')]).catch(() => undefined)
      await scheduler.stop()
    }
    const seen = world
      .eventsOf('SchedulerInitializationCompleted')
      .map(({ newTasks, preservedTasks, overriddenTasks }) =>
        [newTasks, preservedTasks, overriddenTasks].join(' '),
      )
    expect(seen).toEqual(['1 0 0', '0 1 0', '0 0 1', '0 1 0', '0 0 1'])
    await scheduler.initialize([world.task('a', '5 * * * *')])
    await world.until('2026-03-02T10:10:00Z')
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:05:00Z'])
    await scheduler.stop()
  })
})

describe('the stored state', () => {
  /** Does everything twice, as a storage would that was asked again after a lost answer. */
  function repeating(inner: Storage): Storage {
    return changed(inner, {
      change: async (decide) => {
        await inner.change(decide)
        await inner.change(decide)
      },
      save: async (instanceId, records, watched) => {
        await inner.save(instanceId, records, watched)
        await inner.save(instanceId, records, watched)
      },
    })
  }

  async function story(storage: Storage): Promise<unknown> {
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const failing = (): never => {
      throw new Error('no')
    }
    const first = world.scheduler()
    await first.initialize([world.task('a', '* * * * *'), world.task('b', '0 * * * *', failing)])
    await world.minutes(7)
    await first.stop()
    const second = world.scheduler()
    await second.initialize([world.task('b', '1 * * * *', failing), world.task('c', '* * * * *')])
    await world.minutes(7)
    await second.stop()
    return { attempts: world.attempts, tasks: (await dumpOf(storage)).tasks }
  }

  it('may be written twice', async () => {
    expect(await story(repeating(memoryStorage()))).toEqual(await story(memoryStorage()))
  })

  it('of a write that was done and reported as failed is whole, and nothing is lost', async () => {
    const inner = memoryStorage()
    let saves = 0
    const storage = changed(inner, {
      save: async (...received) => {
        await inner.save(...received)
        if (++saves % 2 === 0) throw new Error('answer lost')
      },
    })
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.clock.advanceBy(10 * 60_000 + 30_000)
    expect(world.attemptsOf('a').map((at) => at.slice(0, 16))).toHaveLength(11)
    const [record] = (await dumpOf(inner)).tasks
    expect(record).toMatchObject({ runningInstance: null, pendingRetryUntil: null })
    await scheduler.stop()
  })

  it('after a crash is what was last written, and the next start goes on from there', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    await world.scheduler().initialize([world.task('a', '0,30 * * * *')])
    await world.minutes(10)
    const before = await dumpOf(world.storage)
    const second = world.scheduler()
    await second.initialize([world.task('a', '0,30 * * * *')])
    expect((await dumpOf(world.storage)).tasks).toEqual(before.tasks)
    await world.minutes(25)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:30:00Z'])
    await second.stop()
  })
})
