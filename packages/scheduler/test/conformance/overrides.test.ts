import { Duration, type Registration } from '@kron/scheduler'
import { Duration as LuxonDuration } from 'luxon'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { dumpOf, instant, recordOf } from './stored.js'

const failing = (): never => {
  throw new Error('no')
}
const counts = (world: World): object => {
  const { newTasks, preservedTasks, overriddenTasks, orphanedTasks, removedTasks } = world
    .eventsOf('SchedulerInitializationCompleted')
    .at(-1)!
  return { newTasks, preservedTasks, overriddenTasks, orphanedTasks, removedTasks }
}
const none = {
  newTasks: 0,
  preservedTasks: 0,
  overriddenTasks: 0,
  orphanedTasks: 0,
  removedTasks: 0,
}

/** Initialized with one list, stopped after some minutes, and later initialized with another. */
async function twice(
  world: World,
  before: Registration[],
  after: Registration[],
  { minutes = 1, pauseMinutes = 0 } = {},
): Promise<void> {
  const first = world.scheduler()
  await first.initialize(before)
  await world.minutes(minutes)
  await first.stop()
  await world.minutes(pauseMinutes)
  await world.scheduler().initialize(after)
  await world.settled()
}

describe('a new task', () => {
  it('is in the registrations and not in the storage: it gets a state of its own', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    await world.scheduler().initialize([world.task('a', '5 * * * *')])
    expect(counts(world)).toEqual({ ...none, newTasks: 1 })
    expect(await recordOf(world.storage, 'a')).toEqual({
      id: expect.any(Number),
      name: 'a',
      expression: '5 * * * *',
      retryDelayMs: 300_000,
      lastAttemptAt: null,
      lastSuccessAt: null,
      lastFailureAt: null,
      pendingRetryUntil: null,
      runningInstance: null,
      madeUpFor: null,
    })
  })

  it('starts as at a first start', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const a = world.task('a', '0 10 * * *')
    const tasks = [a, world.task('now', '1 * * * *'), world.task('later', '0 * * * *')]
    await twice(world, [a], tasks)
    expect(counts(world)).toEqual({ ...none, newTasks: 2, preservedTasks: 1 })
    expect(world.attempts.slice(1)).toEqual([{ task: 'now', at: '2026-03-02T10:01:00Z' }])
  })

  it('is one that was removed and comes back', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const a = world.task('a', '0 * * * *', failing)
    await twice(world, [a], [])
    expect(counts(world)).toEqual({ ...none, removedTasks: 1 })
    expect((await dumpOf(world.storage)).tasks).toEqual([])
    await world.minutes(90)
    await world.scheduler().initialize([a])
    await world.settled()
    expect(counts(world)).toEqual({ ...none, newTasks: 1 })
    expect(world.attempts).toHaveLength(1)
  })
})

describe('a preserved task', () => {
  it('has the same name, expression and delay: its state is left as it is', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const first = world.scheduler()
    await first.initialize([world.task('a', '0 * * * *', failing, Duration.hours(3))])
    await world.minutes(1)
    await first.stop()
    const before = await recordOf(world.storage, 'a')
    await world.scheduler().initialize([world.task('a', '0 * * * *', failing, Duration.hours(3))])
    expect(counts(world)).toEqual({ ...none, preservedTasks: 1 })
    expect(await recordOf(world.storage, 'a')).toEqual(before)
    expect(before.lastAttemptAt).toBe(instant('2026-03-02T10:00:00Z'))
  })

  it('goes on as scheduled, with the callback of the new registration', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    let calls = 0
    const again = world.task('a', '0,30 * * * *', () => ++calls)
    await twice(world, [world.task('a', '0,30 * * * *')], [again])
    await world.until('2026-03-02T10:30:00Z')
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:30:00Z'])
    expect(calls).toBe(1)
  })

  it('may write the same delay in another way', async () => {
    const world = new World('2026-03-02T10:30:00Z')
    const written = (delay: Registration[3]) => [world.task('a', '0 * * * *', undefined, delay)]
    const luxon = LuxonDuration.fromObject({ seconds: 300 })
    await twice(world, written(Duration.minutes(5)), written(luxon))
    expect(counts(world)).toEqual({ ...none, preservedTasks: 1 })
  })
})

describe('an overridden task', () => {
  const differences: [what: string, expression: string, delay: Duration][] = [
    ['expression', '30 * * * *', Duration.minutes(5)],
    ['spelling of the expression', '00 * * * *', Duration.minutes(5)],
    ['spaces in the expression', '0  * * * *', Duration.minutes(5)],
    ['delay', '0 * * * *', Duration.minutes(6)],
    ['delay by a millisecond', '0 * * * *', Duration.ms(300_001)],
    ['expression and delay', '30 * * * *', Duration.minutes(6)],
  ]
  it.each(differences)(
    'differs in its %s: the new configuration is stored, its history kept',
    async (_what, expression, delay) => {
      const world = new World('2026-03-02T10:00:00Z')
      let isWorking = true
      const some = () => (isWorking ? undefined : failing())
      const first = world.scheduler()
      await first.initialize([world.task('a', '0 * * * *', some)])
      await world.minutes(1)
      isWorking = false
      await world.minutes(60)
      await first.stop()
      const before = await recordOf(world.storage, 'a')
      await world.scheduler().initialize([world.task('a', expression, some, delay)])
      expect(counts(world)).toEqual({ ...none, overriddenTasks: 1 })
      expect(before.lastSuccessAt).toBe(instant('2026-03-02T10:00:00Z'))
      expect(before.lastFailureAt).toBe(instant('2026-03-02T11:00:00Z'))
      expect(before.pendingRetryUntil).toBe(instant('2026-03-02T11:05:00Z'))
      const after = { ...before, expression, retryDelayMs: delay.ms }
      expect(await recordOf(world.storage, 'a')).toEqual(after)
    },
  )

  it('has another name only if it is another task', async () => {
    const world = new World('2026-03-02T10:30:00Z')
    await twice(world, [world.task('a', '0 * * * *')], [world.task('A', '0 * * * *')])
    expect(counts(world)).toEqual({ ...none, newTasks: 1, removedTasks: 1 })
  })

  it('keeps the instant of its pending retry', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const delay = Duration.minutes(20)
    const before = world.task('a', '0 * * * *', failing, delay)
    const after = world.task('a', '0 * * * *', undefined, Duration.minutes(1))
    await twice(world, [before], [after])
    await world.until('2026-03-02T10:40:00Z')
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:20:00Z'])
  })

  it('runs once if its new expression matched after its latest attempt', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const before = world.task('a', '0 10 * * *')
    const after = world.task('a', '0-29 * * * *')
    await twice(world, [before], [after], { minutes: 5, pauseMinutes: 50 })
    await world.minutes(4)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:55:00Z'])
  })

  it('does not run if its new expression last matched before its latest attempt', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const before = world.task('a', '0 10 * * *')
    await twice(world, [before], [world.task('a', '59 9 * * *')], { minutes: 50 })
    await world.minutes(60)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z'])
  })

  it('follows its new expression and no longer the old one', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    await twice(world, [world.task('a', '0,30 * * * *')], [world.task('a', '40 * * * *')])
    await world.until('2026-03-02T11:30:00Z')
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:40:00Z'])
  })
})

describe('all tasks', () => {
  it('are each classified on their own', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const first = world.scheduler()
    const hang = () => new Promise(() => undefined)
    await first.initialize([
      world.task('preserved', '0 * * * *'),
      world.task('overridden', '0 * * * *'),
      world.task('orphaned', '0 * * * *', hang),
      world.task('removed', '0 * * * *'),
    ])
    await world.minutes(1)
    await world
      .scheduler()
      .initialize([
        world.task('preserved', '0 * * * *'),
        world.task('overridden', '1-5 * * * *'),
        world.task('orphaned', '0 * * * *'),
        world.task('new', '0 * * * *'),
      ])
    expect(counts(world)).toEqual({
      newTasks: 1,
      preservedTasks: 1,
      overriddenTasks: 1,
      orphanedTasks: 1,
      removedTasks: 1,
    })
  })
})
