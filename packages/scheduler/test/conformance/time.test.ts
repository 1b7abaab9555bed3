import { describe, expect, it } from 'vitest'
import { Gate, World } from '../world.js'

const failing = (): never => {
  throw new Error('no')
}

describe('the minute', () => {
  it('is the clock that the scheduler was given', async () => {
    const world = new World('2031-07-04T23:58:20Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 0 5 7 *')])
    await world.minutes(5)
    expect(world.attemptsOf('a')).toEqual(['2031-07-05T00:00:00Z'])
    await scheduler.stop()
  })

  it('begins at its second 0, and tasks start there', async () => {
    const world = new World('2026-03-02T10:00:59Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '1-3 * * * *')])
    await world.clock.advanceBy(999)
    expect(world.attempts).toEqual([])
    await world.clock.advanceBy(1)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:01:00Z'])
    await scheduler.stop()
  })

  it('is looked at once each, and a task runs at most once in it', async () => {
    const world = new World('2026-03-02T10:00:10.250Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *')])
    for (let step = 0; step < 60; step++) await world.clock.advanceBy(7001)
    const minutes = world.attemptsOf('a').map((at) => at.slice(0, 16))
    expect(minutes).toHaveLength(8)
    expect(new Set(minutes).size).toBe(8)
    await scheduler.stop()
  })

  it('is the finest there is: a task does not run in it again', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 10 * * *')])
    await world.clock.advanceBy(30_000)
    await scheduler.stop()
    const second = world.scheduler()
    await second.initialize([world.task('a', '0 10 * * *')])
    await world.minutes(5)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z'])
    await second.stop()
  })

  it('with many tasks due starts all of them, none waiting for another', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const gate = new Gate()
    const scheduler = world.scheduler()
    const names = Array.from({ length: 50 }, (_, index) => `task ${index}`)
    await scheduler.initialize(
      names.map((name) => world.task(name, '1 * * * *', () => gate.passed)),
    )
    await world.minutes(1)
    expect(world.attempts.map(({ task }) => task).sort()).toEqual([...names].sort())
    expect(world.eventTypes()).not.toContain('TaskRunCompleted')
    gate.open()
    await scheduler.stop()
  })
})

describe('missed minutes', () => {
  it('of an outage of an hour are one run', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const quarters = '15,30,45,0 * * * *'
    const first = world.scheduler()
    await first.initialize([world.task('a', quarters)])
    await world.minutes(1)
    await first.stop()
    await world.until('2026-03-02T11:07:00Z')
    const second = world.scheduler()
    await second.initialize([world.task('a', quarters)])
    await world.minutes(7)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T11:07:00Z'])
    await second.stop()
  })

  it.each([1, 2, 60, 1000])('%d of them are one run of each task', async (missed) => {
    const world = new World('2026-03-02T10:00:00Z')
    const tasks = () => [world.task('a', '* * * * *'), world.task('b', '* * * * *', failing)]
    const first = world.scheduler()
    await first.initialize(tasks())
    await world.settled()
    await first.stop()
    await world.clock.advanceBy(missed * 60_000 + 30_000)
    const second = world.scheduler()
    await second.initialize(tasks())
    await world.settled()
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', world.now])
    expect(world.attemptsOf('b')).toEqual(['2026-03-02T10:00:00Z', world.now])
    await second.stop()
  })

  it('of a crash are one run as well', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    await world.scheduler().initialize([world.task('a', '* * * * *')])
    await world.minutes(2)
    const second = world.scheduler()
    await world.minutes(30)
    await second.initialize([world.task('a', '* * * * *')])
    await world.settled()
    expect(world.attemptsOf('a').slice(3)).toEqual(['2026-03-02T10:32:00Z'])
    await second.stop()
  })
})

describe('the first start', () => {
  it.each([
    ['15 10 * * *', 1],
    ['* * * * *', 1],
    ['14 10 * * *', 0],
    ['16 10 * * *', 0],
    ['15 9 * * *', 0],
    ['15 10 3 * *', 0],
    ['15 10 * * 1', 1],
    ['15 10 * * 2', 0],
  ])('in the middle of a minute runs %j %d times at once', async (expression, count) => {
    const world = new World('2026-03-02T10:15:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', expression)])
    await world.settled()
    expect(world.attempts).toHaveLength(count)
    await scheduler.stop()
  })

  it('schedules each task for its next minute to come', async () => {
    const world = new World('2026-03-02T10:15:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '15 10 * * *'), world.task('b', '14 10 * * *')])
    await world.minutes(24 * 60)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:15:30Z', '2026-03-03T10:15:00Z'])
    expect(world.attemptsOf('b')).toEqual(['2026-03-03T10:14:00Z'])
    await scheduler.stop()
  })

  it('of one new task among others is its own', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const first = world.scheduler()
    await first.initialize([world.task('old', '0 * * * *')])
    await world.settled()
    await first.stop()
    await world.until('2026-03-02T11:20:00Z')
    const second = world.scheduler()
    const tasks = [world.task('old', '0 * * * *'), world.task('new', '0 * * * *')]
    await second.initialize([...tasks, world.task('now', '20 * * * *')])
    await world.settled()
    expect(world.attempts.slice(1).map(({ task }) => task)).toEqual(['old', 'now'])
    await second.stop()
  })
})
