import { memoryStorage, SchedulerAlreadyActiveError } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from '../world.js'
import { changed } from './stored.js'

const failing = (): never => {
  throw new Error('no')
}

describe('tasks', () => {
  it('run beside each other', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    let running = 0
    let most = 0
    const behaviour = async (): Promise<void> => {
      most = Math.max(most, ++running)
      await world.clock.sleep(30_000)
      running--
    }
    const names = ['a', 'b', 'c', 'd', 'e']
    await scheduler.initialize(names.map((name) => world.task(name, '0 * * * *', behaviour)))
    await world.minutes(1)
    expect(most).toBe(names.length)
    expect(running).toBe(0)
    await scheduler.stop()
  })

  it('that run long hold up no others', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const gate = new Gate()
    const scheduler = world.scheduler()
    await scheduler.initialize([
      world.task('slow', '* * * * *', () => gate.passed),
      world.task('quick', '* * * * *'),
    ])
    await world.minutes(10)
    expect(world.attemptsOf('quick')).toHaveLength(11)
    expect(world.attemptsOf('slow')).toHaveLength(1)
    gate.open()
    await scheduler.stop()
  })

  it('run each after itself, never beside itself', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    let running = 0
    let most = 0
    let runs = 0
    const behaviour = async (): Promise<void> => {
      most = Math.max(most, ++running)
      const isFailure = ++runs % 2 === 0
      await world.clock.sleep(100_000)
      running--
      if (isFailure) failing()
    }
    await scheduler.initialize([world.task('a', '* * * * *', behaviour)])
    await world.minutes(60)
    expect(most).toBe(1)
    expect(runs).toBeGreaterThan(30)
    const stopped = scheduler.stop()
    await world.minutes(5)
    await stopped
  })

  it('that fail leave the others alone', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const gate = new Gate()
    const scheduler = world.scheduler()
    await scheduler.initialize([
      world.task('before', '0 * * * *', () => gate.passed),
      world.task('failing', '* * * * *', failing),
      world.task('after', '* * * * *'),
    ])
    await world.minutes(5)
    gate.open()
    await world.settled()
    expect(world.attemptsOf('failing')).toHaveLength(6)
    expect(world.attemptsOf('after')).toHaveLength(6)
    const completed = world.eventsOf('TaskRunCompleted').filter((it) => it.taskName === 'before')
    expect(completed).toHaveLength(1)
    await scheduler.stop()
  })
})

describe('concurrent calls', () => {
  it.each([2, 5, 20])('%d of initialize: exactly one succeeds', async (count) => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const calls = Array.from({ length: count }, (_, index) =>
      scheduler.initialize([world.task(`${index}`, '0 * * * *')]),
    )
    const outcomes = await Promise.allSettled(calls)
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(outcomes[0]).toMatchObject({ status: 'fulfilled' })
    expect(rejected).toHaveLength(count - 1)
    for (const { reason } of rejected) expect(reason).toBeInstanceOf(SchedulerAlreadyActiveError)
    await world.settled()
    expect(world.attempts).toEqual([{ task: '0', at: '2026-03-02T10:00:00Z' }])
    await scheduler.stop()
  })

  it('of initialize while it stops: all wait, and exactly one succeeds', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '5 * * * *')])
    const stopped = scheduler.stop()
    const calls = ['b', 'c', 'd'].map((name) =>
      scheduler.initialize([world.task(name, '5 * * * *')]),
    )
    const outcomes = await Promise.allSettled(calls)
    await stopped
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(world.eventsOf('SchedulerInitializationCompleted')).toHaveLength(2)
    await world.minutes(5)
    expect(world.attempts).toHaveLength(1)
    await scheduler.stop()
  })

  it('of stop while it initializes: all wait for it, and then stop', async () => {
    const gate = new Gate()
    const inner = memoryStorage()
    const storage = changed(inner, { open: () => gate.passed.then(() => inner.open()) })
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    const order: string[] = []
    const initialized = scheduler
      .initialize([world.task('a', '* * * * *')])
      .then(() => order.push('initialized'))
    const stops = [scheduler.stop(), scheduler.stop()].map((stop) =>
      stop.then(() => order.push('stopped')),
    )
    await world.minutes(3)
    expect(order).toEqual([])
    gate.open()
    await Promise.all([initialized, ...stops])
    expect(order).toEqual(['initialized', 'stopped', 'stopped'])
    await world.minutes(5)
    expect(world.attempts).toEqual([])
  })

  it('of stop while an initialize waits for an earlier stop: it is stopped as well', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *')])
    const calls = [
      scheduler.stop(),
      scheduler.initialize([world.task('b', '* * * * *')]),
      scheduler.stop(),
    ]
    await Promise.allSettled(calls)
    await world.minutes(5)
    expect(world.attempts).toEqual([])
    await scheduler.stop()
  })

  it('of stop while an initialization fails: it waits, and has nothing to do', async () => {
    const gate = new Gate()
    const storage = changed(memoryStorage(), { open: () => gate.passed })
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    const initialized = scheduler.initialize([]).catch((error: unknown) => error)
    const stopped = scheduler.stop()
    gate.fail(new Error('no'))
    expect(await initialized).toBeInstanceOf(Error)
    await expect(stopped).resolves.toBeUndefined()
    expect(world.eventTypes()).toEqual([
      'SchedulerInitializationStarted',
      'SchedulerInitializationFailed',
    ])
  })
})
