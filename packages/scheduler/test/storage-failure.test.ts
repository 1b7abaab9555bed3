import { memoryStorage, type Storage } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { FailingStorage, type Mode } from './failing-storage.js'
import { Gate, World } from './world.js'

function failingWorld(start: string) {
  const storage = new FailingStorage(memoryStorage())
  const world = new World(start, { storage })
  const failSaves = (mode: Mode): void => {
    storage.plan = (call) => (call === 'save' ? mode : 'works')
  }
  return { world, storage, failSaves }
}

describe.each(['fails before', 'fails after'] as const)('when a storage %s it writes', (mode) => {
  it('nothing starts, it is tried again with longer and longer pauses, and then all goes on', async () => {
    const { world, storage, failSaves } = failingWorld('2026-03-02T09:59:30Z')
    const logged: string[] = []
    const quiet = () => undefined
    const error = (message: string) => void logged.push(message)
    const scheduler = world.scheduler({ logger: { debug: quiet, info: quiet, warn: quiet, error } })
    await scheduler.initialize([world.task('a', '0 * * * *'), world.task('b', '* * * * *')])
    await world.settled()
    world.attempts.length = 0
    storage.calls.length = 0
    failSaves(mode)
    await world.until('2026-03-02T10:04:10Z')
    expect(world.attempts).toEqual([])
    const failures = world.eventsOf('StorageFailed').map(({ time }) => time.toISOString())
    expect(failures.map((time) => time.slice(11, 19))).toEqual([
      '10:00:00',
      '10:00:01',
      '10:00:03',
      '10:00:07',
      '10:00:15',
      '10:00:31',
      '10:01:03',
      '10:02:03',
      '10:03:03',
      '10:04:03',
    ])
    expect(world.eventsOf('StorageFailed')[0]).toMatchObject({
      error: { name: 'StorageError', details: { operation: 'save' } },
      retryAt: new Date('2026-03-02T10:00:01Z'),
    })
    expect(logged).toHaveLength(10)
    expect(logged[0]).toEqual(
      expect.stringMatching(
        /^Storage failed to save task "a" and 1 more: .+; nothing starts until it works, next try at 2026-03-02T10:00:01.000Z$/,
      ),
    )
    failSaves('works')
    await world.until('2026-03-02T10:06:00Z')
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:05:03Z'])
    expect(world.attemptsOf('b')).toEqual(['2026-03-02T10:05:03Z', '2026-03-02T10:06:00Z'])
    await scheduler.stop()
  })

  it('the end of a run is told when it is recorded, and the run is not repeated', async () => {
    const { world, failSaves } = failingWorld('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const run = new Gate()
    await scheduler.initialize([world.task('a', '0 * * * *', () => run.passed)])
    await world.settled()
    failSaves(mode)
    run.open()
    await world.minutes(1)
    expect(world.eventsOf('TaskRunCompleted')).toEqual([])
    failSaves('works')
    await world.minutes(2)
    expect(world.eventsOf('TaskRunCompleted')).toMatchObject([
      { taskName: 'a', time: new Date('2026-03-02T10:00:00Z') },
    ])
    expect(world.attempts).toHaveLength(1)
    await scheduler.stop()
  })

  it('a stop ends all the same, and what could not be written then is written at the next start', async () => {
    const { world, failSaves } = failingWorld('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const run = new Gate()
    await scheduler.initialize([world.task('a', '0 * * * *', () => run.passed)])
    await world.settled()
    failSaves(mode)
    const stopped = scheduler.stop()
    run.open()
    await stopped
    expect(world.eventTypes().at(-1)).toBe('SchedulerStopped')
    expect(world.eventsOf('TaskRunCompleted')).toEqual([])
    failSaves('works')
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await world.minutes(30)
    expect(world.eventsOf('TaskRunCompleted')).toHaveLength(1)
    expect(world.attempts).toHaveLength(1)
    await scheduler.stop()
  })

  it('a start that was recorded while a stop came in is taken back', async () => {
    const { world, storage } = failingWorld('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const tasks = [world.task('a', '0 * * * *')]
    await scheduler.initialize(tasks)
    await world.minutes(1)
    let stopped: Promise<void> | null = null
    let saves = 0
    storage.plan = (call) => {
      if (call !== 'save') return 'works'
      if (saves++ === 0) stopped = scheduler.stop()
      return saves === 2 ? mode : 'works'
    }
    await world.until('2026-03-02T11:00:30Z')
    await stopped
    expect(world.attempts).toHaveLength(1)
    const next = world.scheduler()
    await next.initialize(tasks)
    await world.settled()
    expect(world.attemptsOf('a')[1]).toBe('2026-03-02T11:00:30Z')
    expect(world.eventsOf('TaskRunStarted').at(-1)).toMatchObject({ reason: 'cron' })
    await next.stop()
  })
})

describe('a start that was stored and reported as failed', () => {
  it('is taken back by a stop, so that the next start finds no orphan', async () => {
    const { world, failSaves } = failingWorld('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const tasks = [world.task('a', '0 * * * *')]
    await scheduler.initialize(tasks)
    await world.minutes(1)
    failSaves('fails after')
    await world.until('2026-03-02T11:00:00.500Z')
    expect(world.attempts).toHaveLength(1)
    failSaves('works')
    await scheduler.stop()
    const next = world.scheduler()
    await next.initialize(tasks)
    await world.settled()
    expect(world.attempts).toHaveLength(2)
    expect(world.eventsOf('TaskRunStarted').at(-1)).toMatchObject({
      reason: 'cron',
      scheduledFor: new Date('2026-03-02T11:00:00Z'),
    })
    await next.stop()
  })
})

describe('a storage that takes long', () => {
  it('makes a run serve all minutes up to its call, and none of them a second time', async () => {
    const world = new World('2026-03-02T09:59:30Z')
    const slow = { isSlow: true }
    const storage: Storage = {
      ...world.storage,
      save: async (...args) => {
        await world.storage.save(...args)
        if (slow.isSlow) await world.clock.sleep(90_000)
      },
    }
    const scheduler = world.scheduler({ storage })
    const tasks = [world.task('a', '* 10 * * *'), world.task('b', '0 10 * * *')]
    await scheduler.initialize(tasks)
    await world.until('2026-03-02T10:01:00Z')
    slow.isSlow = false
    await world.until('2026-03-02T10:01:50Z')
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:01:30Z'])
    await scheduler.stop()
    const next = world.scheduler()
    await next.initialize(tasks)
    await world.until('2026-03-02T10:02:00Z')
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:01:30Z', '2026-03-02T10:02:00Z'])
    expect(world.attemptsOf('b')).toEqual(['2026-03-02T10:01:30Z'])
    await next.stop()
  })
})

describe('a scheduler whose storage another one has initialized on', () => {
  it('starts nothing any more, says so once, and stops as usual', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const storage = memoryStorage()
    const seen: string[] = []
    const tell = ({ type }: { type: string }) => void seen.push(type)
    const first = world.scheduler({ storage, onEvent: tell })
    const run = new Gate()
    const ours: string[] = []
    await first.initialize([
      ['long', '0 10 * * *', () => run.passed, world.task('x', '* * * * *')[3]],
      [
        'often',
        '* * * * *',
        async () => void ours.push(world.now),
        world.task('x', '* * * * *')[3],
      ],
    ])
    await world.minutes(1)
    expect(ours).toHaveLength(2)
    // Not through the world, which would silence the first one.
    const { createScheduler } = await import('@kron/scheduler')
    const second = createScheduler({ storage, clock: world.clock, timeZone: 'UTC' })
    const theirs: string[] = []
    await second.initialize([
      [
        'often',
        '* * * * *',
        async () => void theirs.push(world.now),
        world.task('x', '* * * * *')[3],
      ],
    ])
    await world.minutes(3)
    run.open()
    await world.minutes(1)
    expect(ours).toHaveLength(2)
    expect(theirs).toHaveLength(4)
    expect(seen.filter((type) => type === 'StorageFailed')).toHaveLength(1)
    await first.stop()
    await world.minutes(1)
    expect(theirs).toHaveLength(5)
    await second.stop()
  })
})
