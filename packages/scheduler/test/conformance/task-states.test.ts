import { Duration } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from '../world.js'
import { instant, recordOf } from './stored.js'

const failing = (): never => {
  throw new Error('no')
}
const ofTasks = (world: World): string[] =>
  world.eventTypes().filter((type) => type.startsWith('Task'))

describe('a task awaiting its run', () => {
  it('begins so, and stays so until its minute', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '5 * * * *')])
    await world.minutes(4)
    expect(ofTasks(world)).toEqual([])
    const { lastAttemptAt, runningInstance, pendingRetryUntil } = await recordOf(world.storage, 'a')
    expect({ lastAttemptAt, runningInstance, pendingRetryUntil }).toEqual({
      lastAttemptAt: null,
      runningInstance: null,
      pendingRetryUntil: null,
    })
    await scheduler.stop()
  })

  it('case A: starts in a minute that matches, with TaskRunStarted', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const gate = new Gate()
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '5 * * * *', () => gate.passed)])
    await world.minutes(5)
    const at = new Date('2026-03-02T10:05:00Z')
    expect(world.eventsOf('TaskRunStarted')).toEqual([
      {
        type: 'TaskRunStarted',
        time: at,
        taskName: 'a',
        lastAttemptAt: at,
        reason: 'cron',
        scheduledFor: at,
      },
    ])
    const record = await recordOf(world.storage, 'a')
    expect(record.lastAttemptAt).toBe(at.getTime())
    expect(record.runningInstance).not.toBeNull()
    gate.open()
    await scheduler.stop()
  })

  it('case A: does not start twice in the same minute', async () => {
    const world = new World('2026-03-02T10:05:10Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '5 * * * *')])
    await world.settled()
    await scheduler.stop()
    await scheduler.initialize([world.task('a', '5 * * * *')])
    await world.clock.advanceBy(40_000)
    expect(world.attemptsOf('a')).toHaveLength(1)
    await scheduler.stop()
  })

  it('case B: starts for a minute that was missed, if it has run before', async () => {
    const world = new World('2026-03-02T10:05:00Z')
    const tasks = () => [world.task('ran', '5 * * * *'), world.task('never', '10 * * * *')]
    const first = world.scheduler()
    await first.initialize(tasks())
    await world.settled()
    await first.stop()
    await world.until('2026-03-02T11:30:00Z')
    const second = world.scheduler()
    await second.initialize(tasks())
    await world.settled()
    expect(world.attempts.slice(1)).toEqual([{ task: 'ran', at: '2026-03-02T11:30:00Z' }])
    const { scheduledFor } = world.eventsOf('TaskRunStarted').at(-1)!
    expect(scheduledFor).toEqual(new Date('2026-03-02T11:05:00Z'))
    await second.stop()
  })

  it('case B: does not start for a missed minute if it has never run', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const first = world.scheduler()
    await first.initialize([world.task('a', '5 * * * *')])
    await world.minutes(2)
    await first.stop()
    await world.until('2026-03-02T10:30:00Z')
    const second = world.scheduler()
    await second.initialize([world.task('a', '5 * * * *')])
    await world.until('2026-03-02T11:04:59Z')
    expect(world.attempts).toEqual([])
    await second.stop()
  })
})

describe('a task that runs', () => {
  it('and succeeds awaits its run, with TaskRunCompleted and no retry', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *', () => world.clock.sleep(2500))])
    await world.minutes(30)
    const lastAttemptAt = new Date('2026-03-02T10:00:00Z')
    const time = new Date('2026-03-02T10:00:02.500Z')
    expect(world.events.at(-1)).toEqual({
      type: 'TaskRunCompleted',
      time,
      taskName: 'a',
      lastAttemptAt,
      lastSuccessAt: time,
    })
    const record = await recordOf(world.storage, 'a')
    expect(record).toMatchObject({ pendingRetryUntil: null, runningInstance: null })
    expect(world.attempts).toHaveLength(1)
    await scheduler.stop()
  })

  const failures: [how: string, behaviour: () => unknown][] = [
    ['rejects', () => Promise.reject(new Error('no'))],
    ['throws', failing],
    ['rejects with nothing', () => Promise.reject(undefined)],
    ['rejects after a while', () => Promise.resolve().then(failing)],
  ]
  it.each(failures)('and %s awaits its retry, with TaskRunFailed', async (_how, behaviour) => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *', behaviour, Duration.minutes(7))])
    await world.minutes(6)
    const at = new Date('2026-03-02T10:00:00Z')
    const pendingRetryUntil = new Date('2026-03-02T10:07:00Z')
    expect(world.events.at(-1)).toMatchObject({
      type: 'TaskRunFailed',
      taskName: 'a',
      lastAttemptAt: at,
      lastFailureAt: at,
      pendingRetryUntil,
    })
    const record = await recordOf(world.storage, 'a')
    expect(record.pendingRetryUntil).toBe(pendingRetryUntil.getTime())
    expect(record.runningInstance).toBeNull()
    await scheduler.stop()
  })

  it('and throws outside of a promise has failed too', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const thrown = new TypeError('not even a promise')
    const callback = (): never => {
      throw thrown
    }
    await scheduler.initialize([['a', '0 * * * *', callback, Duration.minutes(7)]])
    await world.minutes(1)
    expect(world.eventsOf('TaskRunFailed')).toMatchObject([{ error: thrown }])
    await scheduler.stop()
  })

  it('counts the delay of its retry from its end, not from its start', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const slowly = () => world.clock.sleep(20_000).then(failing)
    await scheduler.initialize([world.task('a', '0 * * * *', slowly, Duration.minutes(7))])
    await world.minutes(1)
    const { pendingRetryUntil } = await recordOf(world.storage, 'a')
    expect(pendingRetryUntil).toBe(instant('2026-03-02T10:07:20Z'))
    await scheduler.stop()
  })

  it('owes a minute that falls into its run, once, and starts again when it ends', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const gate = new Gate()
    await scheduler.initialize([world.task('a', '* * * * *', () => gate.passed)])
    await world.clock.advanceBy(5 * 60_000 + 30_000)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z'])
    gate.open()
    await world.settled()
    expect(world.attemptsOf('a').slice(1)).toEqual(['2026-03-02T10:05:30Z'])
    await world.clock.advanceBy(29_000)
    expect(world.attemptsOf('a')).toHaveLength(2)
    await scheduler.stop()
  })

  it('owes a minute that falls into its run even if the run fails', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const gate = new Gate()
    await scheduler.initialize([
      world.task('a', '0,2 10 * * *', () => gate.passed, Duration.minutes(30)),
    ])
    await world.minutes(3)
    gate.fail(new Error('no'))
    await world.settled()
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:03:00Z'])
    expect(ofTasks(world)).toEqual([
      'TaskRunStarted',
      'TaskRunFailed',
      'TaskRetryPreempted',
      'TaskRunStarted',
      'TaskRunFailed',
    ])
    await scheduler.stop()
  })
})

describe('a task in each of its states', () => {
  it('is in exactly one: its events alternate between a start and an end', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    let count = 0
    const some = () => (++count % 3 === 0 ? world.clock.sleep(90_000) : failing())
    await scheduler.initialize([world.task('a', '0,10,20 * * * *', some, Duration.minutes(4))])
    await world.minutes(120)
    const isStart = (type: string): boolean => /Started$/.test(type)
    const seen = ofTasks(world).filter((type) => type !== 'TaskRetryPreempted')
    expect(seen.length).toBeGreaterThan(20)
    expect(seen.map(isStart)).toEqual(seen.map((_, index) => index % 2 === 0))
    await scheduler.stop()
  })
})
