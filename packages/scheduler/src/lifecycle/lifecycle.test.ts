import { memoryStorage, type Registration, type Storage } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { FailingStorage } from '../../test/failing-storage.js'
import { Gate, World, watch } from '../../test/world.js'

const start = '2026-03-02T10:00:00Z'

describe('what an initialization leaves behind for the next one', () => {
  it('is a run that goes on, which is handed over once', async () => {
    const world = new World(start)
    const scheduler = world.scheduler()
    const gate = new Gate()
    const tasks: Registration[] = []
    const again = async (): Promise<void> => {
      await scheduler.stop()
      await scheduler.initialize(tasks)
      await gate.passed
    }
    tasks.push(world.task('a', '0 10 * * *', again))
    await scheduler.initialize(tasks)
    await world.minutes(1)
    gate.open()
    await world.minutes(1)
    expect(world.eventsOf('TaskRunCompleted')).toHaveLength(1)
    await scheduler.stop()
    await scheduler.initialize(tasks)
    await world.minutes(1)
    expect([world.eventsOf('TaskRunCompleted').length, world.attempts.length]).toEqual([1, 1])
    await scheduler.stop()
  })

  it('is an end that could not be recorded, which is told and written once', async () => {
    const storage = new FailingStorage(memoryStorage())
    const world = new World(start, { storage })
    const scheduler = world.scheduler()
    const run = new Gate()
    const tasks = [world.task('a', '0 10 * * *', () => run.passed)]
    await scheduler.initialize(tasks)
    await world.settled()
    storage.plan = (call) => (call === 'save' ? 'fails before' : 'works')
    run.open()
    const stopped = watch(scheduler.stop())
    await world.minutes(1)
    expect([stopped.done, world.eventsOf('TaskRunCompleted')]).toEqual([true, []])
    storage.plan = () => 'works'
    for (let times = 0; times < 2; times++) {
      await scheduler.initialize(tasks)
      await world.settled()
      await scheduler.stop()
    }
    expect(world.eventsOf('TaskRunCompleted')).toMatchObject([{ time: new Date(start) }])
    expect(world.attempts).toHaveLength(1)
  })

  it('is nothing in the groups when a storage asks what to change twice', async () => {
    const inner = memoryStorage()
    const storage: Storage = {
      ...inner,
      change: (decide) =>
        inner.change((stored) => {
          const tasks = [...stored.tasks]
          decide({ ...stored, tasks })
          return decide({ ...stored, tasks })
        }),
    }
    const world = new World(start, { storage })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.minutes(2)
    expect(world.attemptsOf('a')).toHaveLength(3)
    await scheduler.stop()
  })
})

describe('an owner', () => {
  it.each([
    { title: 'that lives', takesOver: true, orphanedTasks: 0 },
    { title: 'that is gone', takesOver: false, orphanedTasks: 1 },
    { title: 'of which the storage knows nothing', takesOver: undefined, orphanedTasks: 1 },
  ])('$title has $orphanedTasks orphans', async ({ takesOver, orphanedTasks }) => {
    const asked: unknown[] = []
    const storage = memoryStorage()
    const world = new World(start, { storage })
    await world.scheduler().initialize([world.task('a', '0 10 * * *', () => new Gate().passed)])
    await world.settled()
    const own = async (whenInUse: unknown): Promise<boolean> => {
      asked.push(whenInUse)
      return takesOver!
    }
    const owned = takesOver === undefined ? storage : { ...storage, own }
    const next = world.scheduler({ storage: owned, whenInUse: 'takeOver' })
    await next.initialize([world.task('a', '0 10 * * *')])
    expect(world.eventsOf('SchedulerInitializationCompleted').at(-1)).toMatchObject({
      orphanedTasks,
    })
    expect(asked).toEqual(takesOver === undefined ? [] : ['takeOver'])
    await next.stop()
  })

  it('that refuses is told with the operation and the place', async () => {
    const storage: Storage = {
      ...memoryStorage(),
      place: '/var/lib/tasks.db',
      own: () => Promise.reject(new Error('no')),
    }
    const world = new World(start, { storage })
    await expect(world.scheduler().initialize([])).rejects.toMatchObject({
      name: 'StorageError',
      message: 'Storage failed to own in /var/lib/tasks.db: no',
    })
    expect(world.eventTypes()).toEqual([
      'SchedulerInitializationStarted',
      'SchedulerInitializationFailed',
    ])
  })
})

describe('a stop', () => {
  it('waits for runs that an initialization which failed was to take over', async () => {
    const storage = new FailingStorage(memoryStorage())
    const world = new World(start, { storage })
    const scheduler = world.scheduler()
    const gate = new Gate()
    const again = async (): Promise<void> => {
      await scheduler.stop()
      storage.plan = (call) => (call === 'change' ? 'fails before' : 'works')
      await scheduler.initialize([]).catch(() => undefined)
      await gate.passed
    }
    await scheduler.initialize([world.task('a', '0 10 * * *', again)])
    await world.minutes(1)
    expect(world.eventTypes().at(-1)).toBe('SchedulerInitializationFailed')
    const stopped = watch(scheduler.stop())
    await world.minutes(10)
    expect(stopped.done).toBe(false)
    gate.open()
    await world.minutes(1)
    expect(stopped.done).toBe(true)
  })

  it('that a listener calls is not that of the run which initialized', async () => {
    const world = new World(start)
    const gate = new Gate()
    const stops: { done: boolean }[] = []
    const scheduler = world.scheduler({
      onEvent: (event) => {
        const isSecond = event.type === 'TaskRunStarted' && event.taskName === 'b'
        if (isSecond) stops.push(watch(scheduler.stop()))
      },
    })
    const tasks: Registration[] = []
    const again = async (): Promise<void> => {
      await scheduler.stop()
      await scheduler.initialize(tasks)
      await gate.passed
    }
    tasks.push(world.task('a', '0 10 * * *', again), world.task('b', '5 10 * * *'))
    await scheduler.initialize(tasks)
    await world.minutes(15)
    expect(stops).toEqual([{ done: false }])
    gate.open()
    await world.minutes(1)
    expect(stops).toEqual([{ done: true }])
  })

  it('lets who hears that it is over initialize at once', async () => {
    const world = new World(start)
    const initialized: Promise<void>[] = []
    const scheduler = world.scheduler({
      onEvent: ({ type }) => {
        if (type === 'SchedulerStopped' && initialized.length === 0) {
          initialized.push(scheduler.initialize([]))
        }
      },
    })
    await scheduler.initialize([])
    await scheduler.stop()
    await Promise.all(initialized)
    expect(world.eventTypes().at(-1)).toBe('SchedulerInitializationCompleted')
    await scheduler.stop()
  })

  it('of a scheduler without tasks tells of no polling', async () => {
    const world = new World(start)
    const scheduler = world.scheduler()
    await scheduler.initialize([])
    await scheduler.stop()
    expect(world.eventTypes()).toEqual([
      'SchedulerInitializationStarted',
      'SchedulerInitializationCompleted',
      'SchedulerStopRequested',
      'SchedulerStopped',
    ])
  })

  it('gives a storage half a minute to close, and says that it did not', async () => {
    const errors: string[] = []
    const storage: Storage = {
      ...memoryStorage(),
      place: '/var/lib/tasks.db',
      close: () => new Promise(() => undefined),
    }
    const world = new World(start, { storage })
    const scheduler = world.scheduler({ logger: { error: (text) => void errors.push(text) } })
    await scheduler.initialize([])
    const stopped = watch(scheduler.stop())
    await world.clock.advanceBy(29_999)
    expect(stopped.done).toBe(false)
    await world.clock.advanceBy(1)
    expect(stopped.done).toBe(true)
    expect(errors).toEqual([
      'polling met something unexpected and continues: Storage failed to close in ' +
        '/var/lib/tasks.db: no answer within 30 s of the stop',
    ])
  })
})

it('who awaits initialize, also through others, goes on before a callback is called', async () => {
  const world = new World(start)
  const scheduler = world.scheduler()
  const order: string[] = []
  const tasks = [world.task('a', '0 10 * * *', () => order.push('called'))]
  const through = async (functions: number): Promise<void> => {
    await (functions === 0 ? scheduler.initialize(tasks) : through(functions - 1))
  }
  await through(6)
  order.push('initialized')
  await world.settled()
  expect(order).toEqual(['initialized', 'called'])
  await scheduler.stop()
})

it('a clock that fails is told by an initialization, which ends all the same', async () => {
  const world = new World(start)
  const scheduler = world.scheduler()
  world.clock.now = () => {
    throw new Error('no clock')
  }
  await expect(scheduler.initialize([])).rejects.toMatchObject({
    name: 'SchedulerInitializationError',
    message: expect.stringContaining('no clock'),
  })
  expect(world.eventTypes()).toEqual(['SchedulerInitializationFailed'])
})
