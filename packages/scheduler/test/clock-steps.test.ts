import { Duration } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from './world.js'

const hour = 3_600_000
const day = 24 * hour

/** A world in which `* * * * *` (every) and others run, that has been so for some minutes. */
async function running(start: string, tasks: Record<string, string>) {
  const world = new World(start)
  const scheduler = world.scheduler()
  const registrations = Object.entries(tasks).map(([name, expression]) =>
    world.task(name, expression),
  )
  await scheduler.initialize(registrations)
  await world.settled()
  return { world, scheduler, registrations }
}

describe('when the clock is set forward', () => {
  it('the minutes in between are one run, and it goes on from there', async () => {
    const { world, scheduler } = await running('2026-03-02T10:00:30Z', {
      every: '* * * * *',
      quarter: '0,15,30,45 * * * *',
      noon: '0 12 * * *',
      evening: '0 18 * * *',
    })
    world.attempts.length = 0
    world.clock.step(5 * hour)
    await world.minutes(2)
    expect(world.attemptsOf('every')).toEqual(['2026-03-02T15:01:00Z', '2026-03-02T15:02:00Z'])
    expect(world.attemptsOf('quarter')).toEqual(['2026-03-02T15:01:00Z'])
    expect(world.attemptsOf('noon')).toEqual(['2026-03-02T15:01:00Z'])
    expect(world.attemptsOf('evening')).toEqual([])
    expect(world.eventsOf('PollingDelayed')).toMatchObject([{ delayMs: 5 * hour }])
    await scheduler.stop()
  })

  it('a retry whose time was jumped over starts', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const fail = () => Promise.reject(new Error('no'))
    await scheduler.initialize([world.task('a', '0 10 * * *', fail, Duration.hours(3))])
    await world.minutes(1)
    world.clock.step(4 * hour)
    await world.minutes(1)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T14:02:00Z'])
    await scheduler.stop()
  })
})

describe('when the clock is set back', () => {
  it('a minute that has run does not run again, and the next ones do', async () => {
    const { world, scheduler } = await running('2026-03-02T09:00:00Z', {
      every: '* * * * *',
      ten: '0 10 * * *',
    })
    await world.until('2026-03-02T10:05:30Z')
    world.attempts.length = 0
    world.clock.step(-hour)
    await world.until('2026-03-02T10:07:00Z')
    expect(world.attemptsOf('every')).toEqual(['2026-03-02T10:06:00Z', '2026-03-02T10:07:00Z'])
    expect(world.attemptsOf('ten')).toEqual([])
    expect(world.eventsOf('ClockSetBack')).toMatchObject([
      { from: new Date('2026-03-02T10:05:00Z'), time: new Date('2026-03-02T09:06:00Z') },
    ])
    await scheduler.stop()
  })

  it('minutes that never came before run', async () => {
    const { world, scheduler } = await running('2026-03-02T10:00:00Z', { every: '* * * * *' })
    await world.minutes(1)
    world.attempts.length = 0
    world.clock.step(-hour)
    await world.until('2026-03-02T09:03:00Z')
    expect(world.attemptsOf('every')).toEqual(['2026-03-02T09:02:00Z', '2026-03-02T09:03:00Z'])
    await world.until('2026-03-02T10:02:00Z')
    expect(world.attemptsOf('every').slice(-2)).toEqual([
      '2026-03-02T09:59:00Z',
      '2026-03-02T10:02:00Z',
    ])
    await scheduler.stop()
  })

  it('a wrong day that is put right stalls nothing and repeats nothing', async () => {
    const { world, scheduler } = await running('2026-03-02T10:00:00Z', {
      every: '* * * * *',
      noon: '0 12 * * *',
      eleven: '0 11 3 * *',
    })
    world.clock.step(day)
    await world.minutes(2)
    expect(world.attemptsOf('noon')).toEqual(['2026-03-03T10:01:00Z'])
    world.clock.step(-day)
    world.attempts.length = 0
    await world.until('2026-03-02T12:05:00Z')
    expect(world.attemptsOf('every').slice(0, 2)).toEqual([
      '2026-03-02T10:03:00Z',
      '2026-03-02T10:04:00Z',
    ])
    // It has run for this very noon, when the clock said that it was over.
    expect(world.attemptsOf('noon')).toEqual([])
    await world.until('2026-03-03T12:05:00Z')
    expect(world.attemptsOf('noon')).toEqual(['2026-03-03T12:00:00Z'])
    expect(world.attemptsOf('eleven')).toEqual(['2026-03-03T11:00:00Z'])
    expect(world.attemptsOf('every')).not.toContain('2026-03-03T10:01:00Z')
    expect(world.attemptsOf('every')).toContain('2026-03-03T10:00:00Z')
    await scheduler.stop()
  })

  it('and by less than a second around a full minute, nothing happens twice', async () => {
    const { world, scheduler } = await running('2026-03-02T09:59:00Z', { every: '* * * * *' })
    await world.until('2026-03-02T10:00:00Z')
    for (let times = 0; times < 5; times++) {
      world.clock.step(-300)
      await world.until('2026-03-02T10:00:00.200Z')
    }
    expect(world.attemptsOf('every')).toEqual(['2026-03-02T09:59:00Z', '2026-03-02T10:00:00Z'])
    await scheduler.stop()
  })

  it('a retry waits no longer than it was to', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const fail = () => Promise.reject(new Error('no'))
    await scheduler.initialize([world.task('a', '0 10 * * *', fail, Duration.minutes(10))])
    await world.minutes(1)
    world.clock.step(-5 * hour)
    await world.minutes(12)
    expect(world.attemptsOf('a').slice(1)).toEqual(['2026-03-02T05:12:00Z'])
    await scheduler.stop()
  })

  it.each([0, 1, 2])('%i times while it is stopped, what has run is known', async (restarts) => {
    const tasks = { every: '* * * * *', ten: '0 10 * * *' }
    const { world, scheduler, registrations } = await running('2026-03-02T09:30:00Z', tasks)
    await world.until('2026-03-02T10:05:30Z')
    await scheduler.stop()
    world.clock.step(-hour)
    world.attempts.length = 0
    for (let times = 0; times < restarts; times++) {
      const between = world.scheduler()
      await between.initialize(registrations)
      await world.minutes(3)
      await between.stop()
    }
    const last = world.scheduler()
    await last.initialize(registrations)
    await world.until('2026-03-02T10:06:00Z')
    // From 09:05 on the minutes are new up to 09:29.
    const attempts = world.attemptsOf('every')
    expect(attempts[0]).toBe('2026-03-02T09:05:30Z')
    expect(attempts.slice(-2)).toEqual(['2026-03-02T09:29:00Z', '2026-03-02T10:06:00Z'])
    expect(world.attemptsOf('ten')).toEqual([])
    await last.stop()
  })
  it('a minute that was made up for does not run again after a restart', async () => {
    const tasks = { noon: '0 12 * * *', often: '0 11,12 * * *' }
    const { world, scheduler, registrations } = await running('2026-03-02T10:00:00Z', tasks)
    world.clock.step(day)
    await world.minutes(1)
    const madeUp = ['2026-03-03T10:01:00Z']
    expect(world.attemptsOf('noon')).toEqual(madeUp)
    expect(world.attemptsOf('often')).toEqual(madeUp)
    await scheduler.stop()
    world.clock.step(-day)
    const second = world.scheduler()
    await second.initialize(registrations)
    await world.until('2026-03-02T11:30:00Z')
    await second.stop()
    // The minute comes while nobody is there, or while the third one is.
    const third = world.scheduler()
    await world.until('2026-03-02T11:59:00Z')
    await third.initialize(registrations)
    await world.until('2026-03-02T12:10:00Z')
    await third.stop()
    const fourth = world.scheduler()
    await fourth.initialize(registrations)
    await world.until('2026-03-03T10:30:00Z')
    expect(world.attemptsOf('noon')).toEqual(madeUp)
    expect(world.attemptsOf('often')).toEqual([...madeUp, '2026-03-02T11:00:00Z'])
    await fourth.stop()
  })

  it('a minute that was made up for does not run again under another expression', async () => {
    const { world, scheduler } = await running('2026-03-02T10:00:00Z', { a: '0 11,12 * * *' })
    world.clock.step(day)
    await world.minutes(1)
    expect(world.attemptsOf('a')).toEqual(['2026-03-03T10:01:00Z'])
    world.clock.step(-day)
    await world.until('2026-03-02T11:30:00Z')
    expect(world.attemptsOf('a')[1]).toBe('2026-03-02T11:00:00Z')
    await scheduler.stop()
    await world.until('2026-03-02T12:30:00Z')
    const next = world.scheduler()
    await next.initialize([world.task('a', '0 12 * * *')])
    await world.minutes(30)
    expect(world.attemptsOf('a')).toHaveLength(2)
    await next.stop()
  })

  it('a minute that was missed while it was down, and made up for, does not run again', async () => {
    const { world, scheduler, registrations } = await running('2026-03-02T11:00:00Z', {
      noon: '0 11,12 * * *',
    })
    await scheduler.stop()
    await world.until('2026-03-02T12:30:00Z')
    const second = world.scheduler()
    await second.initialize(registrations)
    await world.minutes(5)
    await second.stop()
    world.clock.step(-hour)
    for (let restarts = 0; restarts < 3; restarts++) {
      const next = world.scheduler()
      await next.initialize(registrations)
      await world.minutes(10)
      await next.stop()
    }
    const last = world.scheduler()
    await last.initialize(registrations)
    await world.until('2026-03-02T13:00:00Z')
    expect(world.attemptsOf('noon')).toEqual(['2026-03-02T11:00:00Z', '2026-03-02T12:30:00Z'])
    await last.stop()
  })

  it('far, what has run is known though the scheduler was interrupted many times', async () => {
    const world = new World('2026-03-02T06:00:00Z')
    const registrations = [world.task('every', '* * * * *')]
    for (let hours = 0; hours < 300; hours++) {
      const scheduler = world.scheduler()
      await scheduler.initialize(registrations)
      await world.minutes(3)
      await scheduler.stop()
      await world.minutes(57)
    }
    const end = world.now
    const ran = new Set(world.attemptsOf('every'))
    world.attempts.length = 0
    world.clock.step(-300 * hour)
    const scheduler = world.scheduler()
    await scheduler.initialize(registrations)
    await world.until(end)
    expect(world.attemptsOf('every').filter((at) => ran.has(at))).toEqual([])
    // Of the minutes that never came, those in the narrowest gaps are left out, and no more.
    expect(world.attemptsOf('every').length).toBeGreaterThan(100)
    await scheduler.stop()
  })

  it('a minute of an expression that came since the latest attempt runs', async () => {
    const { world, scheduler } = await running('2026-03-03T10:29:30Z', { a: '30 * * * *' })
    await world.minutes(2)
    await scheduler.stop()
    const next = world.scheduler()
    await next.initialize([world.task('a', '0 9 * * *')])
    await world.minutes(1)
    expect(world.attemptsOf('a')).toEqual(['2026-03-03T10:30:00Z'])
    world.clock.step(-day)
    await world.until('2026-03-03T09:05:00Z')
    expect(world.attemptsOf('a').slice(1)).toEqual(['2026-03-03T09:00:00Z'])
    world.clock.step(-hour)
    await world.until('2026-03-03T09:05:00Z')
    expect(world.attemptsOf('a').slice(1)).toEqual(['2026-03-03T09:00:00Z'])
    await next.stop()
  })
  it('during a run, a minute that only came before the step is owed after a restart', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const first = world.scheduler()
    let release: () => void = () => undefined
    const hang = () => new Promise<void>((resolve) => (release = resolve))
    await first.initialize([world.task('a', '0,30 * * * *', hang)])
    await world.until('2026-03-02T11:35:00Z')
    world.clock.step(-25 * 60_000)
    await world.until('2026-03-02T11:40:00Z')
    const stopped = first.stop()
    release()
    await stopped
    world.attempts.length = 0
    const second = world.scheduler()
    await second.initialize([world.task('a', '0,30 * * * *')])
    await world.settled()
    // For 11:00. What came twice, 11:30, may have run.
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T11:40:00Z'])
    await second.stop()
  })
  it('what was missed before the minutes that have run is owed after a restart', async () => {
    const tasks = { a: '10-20 * * * *' }
    const { world, scheduler, registrations } = await running('2026-03-02T12:20:30Z', tasks)
    world.clock.step(-hour - 90_000)
    await world.until('2026-03-02T11:25:00Z')
    await scheduler.stop()
    expect(world.attemptsOf('a').at(-1)).toBe('2026-03-02T11:20:00Z')
    world.attempts.length = 0
    await world.until('2026-03-02T12:50:00Z')
    const next = world.scheduler()
    await next.initialize(registrations)
    await world.settled()
    // 12:20 has run, 12:19 and those before have not.
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T12:50:00Z'])
    await next.stop()
  })
})
