import { Duration } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { recordOf } from './stored.js'

const failing = (): never => {
  throw new Error('no')
}
const failingOnce = (): (() => void) => {
  let isFirst = true
  return () => {
    if (!isFirst) return
    isFirst = false
    failing()
  }
}
const ofTasks = (world: World): string[] =>
  world.eventTypes().filter((type) => type.startsWith('Task'))

describe('a task awaiting its retry', () => {
  it('starts when the time has come, with TaskRetryStarted', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *', failingOnce(), Duration.seconds(90))])
    await world.clock.advanceBy(89_999)
    expect(world.attemptsOf('a')).toHaveLength(1)
    await world.clock.advanceBy(1)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:01:30Z'])
    const at = new Date('2026-03-02T10:01:30Z')
    expect(world.eventsOf('TaskRetryStarted')).toEqual([
      {
        type: 'TaskRetryStarted',
        time: at,
        taskName: 'a',
        lastAttemptAt: at,
        pendingRetryUntil: at,
      },
    ])
    await scheduler.stop()
  })

  it('records the new attempt and clears the retry before it starts', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const stored: unknown[] = []
    let isFirst = true
    const behaviour = async (): Promise<void> => {
      if (!isFirst) stored.push(await recordOf(world.storage, 'a'))
      else {
        isFirst = false
        failing()
      }
    }
    await scheduler.initialize([world.task('a', '0 * * * *', behaviour, Duration.seconds(90))])
    await world.minutes(2)
    expect(stored).toMatchObject([
      { lastAttemptAt: Date.parse('2026-03-02T10:01:30Z'), pendingRetryUntil: null },
    ])
    await scheduler.stop()
  })

  it('is tried again after each failure, for ever', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 10 2 3 *', failing, Duration.minutes(10))])
    await world.minutes(24 * 60)
    expect(world.attempts).toHaveLength(1 + 24 * 6)
    await scheduler.stop()
  })

  it('gives way to a minute that comes before, with TaskRetryPreempted', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([
      world.task('a', '0,5 * * * *', failingOnce(), Duration.minutes(20)),
    ])
    await world.minutes(40)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:05:00Z'])
    expect(ofTasks(world)).toEqual([
      'TaskRunStarted',
      'TaskRunFailed',
      'TaskRetryPreempted',
      'TaskRunStarted',
      'TaskRunCompleted',
    ])
    expect(world.eventsOf('TaskRetryPreempted')).toEqual([
      {
        type: 'TaskRetryPreempted',
        time: new Date('2026-03-02T10:05:00Z'),
        taskName: 'a',
        pendingRetryUntil: new Date('2026-03-02T10:20:00Z'),
        scheduledFor: new Date('2026-03-02T10:05:00Z'),
      },
    ])
    expect((await recordOf(world.storage, 'a')).pendingRetryUntil).toBeNull()
    await scheduler.stop()
  })

  it('runs once when its time and a minute come together', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0,5 * * * *', failingOnce(), Duration.minutes(5))])
    await world.minutes(50)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:05:00Z'])
    expect(ofTasks(world)).toEqual([
      'TaskRunStarted',
      'TaskRunFailed',
      'TaskRetryStarted',
      'TaskRunCompleted',
    ])
    await scheduler.stop()
  })

  it('runs once when both came while the scheduler was stopped', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const first = world.scheduler()
    await first.initialize([world.task('a', '0,5 * * * *', failing, Duration.minutes(3))])
    await world.minutes(1)
    await first.stop()
    await world.minutes(20)
    const second = world.scheduler()
    await second.initialize([world.task('a', '0,5 * * * *', undefined, Duration.minutes(3))])
    await world.minutes(10)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:21:00Z'])
    await second.stop()
  })
})

describe('a retry without a delay', () => {
  it('waits for the next second, so that a task that always fails does not spin', async () => {
    const world = new World('2026-03-02T10:00:00.300Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 10 2 3 *', failing, Duration.ms(0))])
    await world.clock.advanceBy(3000)
    expect(world.attemptsOf('a')).toEqual([
      '2026-03-02T10:00:00.300Z',
      '2026-03-02T10:00:01Z',
      '2026-03-02T10:00:02Z',
      '2026-03-02T10:00:03Z',
    ])
    await scheduler.stop()
  })

  it('is allowed from the moment of the failure on, as is recorded', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *', failing, Duration.ms(0))])
    await world.settled()
    const { pendingRetryUntil, lastFailureAt } = await recordOf(world.storage, 'a')
    expect(pendingRetryUntil).toBe(lastFailureAt)
    await scheduler.stop()
  })
})
