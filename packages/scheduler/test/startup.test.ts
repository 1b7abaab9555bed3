import { Duration } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from './world.js'

describe('at the first start', () => {
  it('a task runs at once if the current minute matches', async () => {
    const world = new World('2026-03-02T10:15:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '15 10 * * *'), world.task('b', '16 10 * * *')])
    expect(world.attempts).toEqual([])
    await world.settled()
    expect(world.attempts).toEqual([{ task: 'a', at: '2026-03-02T10:15:30Z' }])
    await world.until('2026-03-03T10:20:00Z')
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:15:30Z', '2026-03-03T10:15:00Z'])
    expect(world.attemptsOf('b')).toEqual(['2026-03-02T10:16:00Z', '2026-03-03T10:16:00Z'])
    await scheduler.stop()
  })

  it('a minute that is over is not made up for', async () => {
    const world = new World('2026-03-02T10:16:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '15 * * * *')])
    await world.minutes(58)
    expect(world.attempts).toEqual([])
    await world.minutes(2)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T11:15:00Z'])
    await scheduler.stop()
  })
})

describe('after downtime', () => {
  it('four missed minutes are one run', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const quarters = (): Parameters<typeof world.task> => ['a', '15,30,45,0 * * * *']
    const first = world.scheduler()
    await first.initialize([world.task(...quarters())])
    await world.settled()
    await first.stop()
    await world.until('2026-03-02T11:05:00Z')
    const second = world.scheduler()
    await second.initialize([world.task(...quarters())])
    await world.until('2026-03-02T11:16:00Z')
    expect(world.attemptsOf('a')).toEqual([
      '2026-03-02T10:00:00Z',
      '2026-03-02T11:05:00Z',
      '2026-03-02T11:15:00Z',
    ])
    await second.stop()
  })

  it('a task that has never run owes nothing, unless the minute is now', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const tasks = () => [world.task('a', '30 10 * * *'), world.task('b', '0 11 * * *')]
    const first = world.scheduler()
    await first.initialize(tasks())
    await world.settled()
    await first.stop()
    await world.until('2026-03-02T11:00:10Z')
    const second = world.scheduler()
    await second.initialize(tasks())
    await world.settled()
    expect(world.attempts).toEqual([{ task: 'b', at: '2026-03-02T11:00:10Z' }])
    await second.stop()
  })

  it('what was running when the process died starts again at once, once', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const hang = new Gate()
    await world.scheduler().initialize([world.task('a', '0 * * * *', () => hang.passed)])
    await world.minutes(3)
    const second = world.scheduler()
    await second.initialize([world.task('a', '0 * * * *')])
    await world.settled()
    await world.minutes(10)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:03:00Z'])
    expect(world.eventsOf('TaskRunStarted').at(-1)).toMatchObject({
      reason: 'orphaned',
      scheduledFor: null,
    })
    hang.open()
    await world.minutes(60)
    expect(world.attemptsOf('a').slice(2)).toEqual(['2026-03-02T11:00:00Z'])
    await second.stop()
  })

  it('a retry that waited goes on waiting, to the same instant', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const failing = () => {
      throw new Error('no')
    }
    const first = world.scheduler()
    const delay = Duration.minutes(30)
    await first.initialize([world.task('a', '0 * * * *', failing, delay)])
    await world.minutes(10)
    await first.stop()
    const second = world.scheduler()
    await second.initialize([world.task('a', '0 * * * *', () => undefined, delay)])
    await world.minutes(25)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:30:00Z'])
    expect(world.eventTypes().filter((type) => type.startsWith('Task'))).toEqual([
      'TaskRunStarted',
      'TaskRunFailed',
      'TaskRetryStarted',
      'TaskRunCompleted',
    ])
    await second.stop()
  })
})
