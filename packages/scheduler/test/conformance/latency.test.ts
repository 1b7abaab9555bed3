import { memoryStorage, type Storage } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from '../world.js'

describe('a task that is due', () => {
  it('R1: starts at the boundary of its minute, as long as nothing holds the host up', async () => {
    const world = new World('2026-03-02T10:00:17.250Z')
    const scheduler = world.scheduler()
    await scheduler.initialize(
      Array.from({ length: 2000 }, (_, index) => world.task(`${index}`, `${index % 60} * * * *`)),
    )
    await world.until('2026-03-02T11:00:59Z')
    const late = world.eventsOf('TaskRunStarted').filter(({ time, scheduledFor }) => {
      return scheduledFor === null || time.getTime() - scheduledFor.getTime() > 0
    })
    // Those of the minute of the start itself are all that may begin in the middle of one.
    expect(late.every(({ scheduledFor }) => scheduledFor?.toISOString().includes('10:00'))).toBe(
      true,
    )
    expect(world.attempts.length).toBeGreaterThanOrEqual(2000)
    await scheduler.stop()
  })

  it('R2: in flight when the process died starts again at once after the restart', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const names = Array.from({ length: 200 }, (_, index) => `${index}`)
    const hang = () => new Promise(() => undefined)
    await world.scheduler().initialize(names.map((name) => world.task(name, '0 10 * * *', hang)))
    await world.clock.advanceBy(150_500)
    await world.scheduler().initialize(names.map((name) => world.task(name, '0 10 * * *')))
    await world.settled()
    const again = world.attempts.slice(names.length)
    expect(again.map(({ task }) => task).sort()).toEqual([...names].sort())
    for (const { at } of again) expect(at).toBe('2026-03-02T10:02:30.500Z')
  })
})

describe('a deviation', () => {
  it('is told as PollingDelayed and as a warning, with how long it was', async () => {
    const warnings: string[] = []
    const nothing = (): void => undefined
    const warn = (message: string): void => void warnings.push(message)
    const logger = { debug: nothing, info: nothing, warn, error: nothing }
    const world = new World('2026-03-02T10:00:30Z', { logger })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.settled()
    // As after a suspension: the clock has gone on while the process has not.
    world.clock.step(5 * 60_000)
    await world.minutes(1)
    expect(world.eventsOf('PollingDelayed')).toEqual([
      {
        type: 'PollingDelayed',
        time: new Date('2026-03-02T10:06:00Z'),
        expectedAt: new Date('2026-03-02T10:01:00Z'),
        delayMs: 300_000,
      },
    ])
    expect(warnings).toEqual(['polling is 300 s late: busy, asleep or a clock step'])
    await scheduler.stop()
  })

  it('is told when a callback has blocked the event loop', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    const block = (): void => {
      if (world.attempts.length === 2) world.clock.step(5 * 60_000)
    }
    await scheduler.initialize([world.task('a', '* * * * *', block)])
    await world.minutes(2)
    expect(world.eventsOf('PollingDelayed')).toEqual([
      {
        type: 'PollingDelayed',
        time: new Date('2026-03-02T10:06:00Z'),
        expectedAt: new Date('2026-03-02T10:01:00Z'),
        delayMs: 300_000,
      },
    ])
    await scheduler.stop()
  })

  it('is told when the storage was slow, and no start is told as being before its minute', async () => {
    const inner = memoryStorage()
    const storage: Storage = {
      open: () => inner.open(),
      change: (decide) => inner.change(decide),
      save: async (...args) => {
        await inner.save(...args)
        if (world.now === '2026-03-02T10:02:00Z') world.clock.step(5 * 60_000)
      },
      close: () => inner.close(),
    }
    const world: World = new World('2026-03-02T10:00:30Z', { storage })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *'), world.task('b', '* * * * *')])
    await world.minutes(8)
    expect(world.eventsOf('PollingDelayed')).toMatchObject([{ delayMs: 300_000 }])
    const starts = world.eventsOf('TaskRunStarted')
    expect(starts.length).toBeGreaterThan(4)
    expect(starts.filter(({ time, scheduledFor }) => scheduledFor! > time)).toEqual([])
    const late = starts.filter(({ scheduledFor }) => scheduledFor!.getUTCMinutes() === 7)
    expect(late.map(({ time }) => time.toISOString())).toEqual([
      '2026-03-02T10:07:00.000Z',
      '2026-03-02T10:07:00.000Z',
    ])
    await scheduler.stop()
  })

  it('is told when a callback that blocked for 130 s made another start two minutes late', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    const block = (): void => world.clock.step(130_000)
    await scheduler.initialize([
      world.task('blocks', '1 10 * * *', block),
      world.task('other', '1 10 * * *'),
    ])
    await world.minutes(1)
    const late = world.eventsOf('TaskRunStarted').find(({ taskName }) => taskName === 'other')
    expect(late).toMatchObject({
      time: new Date('2026-03-02T10:03:10Z'),
      scheduledFor: new Date('2026-03-02T10:01:00Z'),
    })
    expect(world.eventsOf('PollingDelayed')).toMatchObject([{ delayMs: 130_000 }])
    await scheduler.stop()
  })

  const slow: [call: 'change' | 'save', at: string][] = [
    ['change', '10:02:40'],
    ['save', '10:03:10'],
  ]
  it.each(slow)('is told when %s of the storage took 130 s, and others ran', async (call, at) => {
    const inner = memoryStorage()
    let isSlow = true
    const take = async (): Promise<void> => {
      if (isSlow) await world.clock.sleep(130_000)
      isSlow = false
    }
    const storage: Storage = {
      open: () => inner.open(),
      change: async (decide) => {
        await inner.change(decide)
        if (call === 'change') await take()
      },
      save: async (...args) => {
        await inner.save(...args)
        if (call === 'save') await take()
      },
      close: () => inner.close(),
    }
    const world: World = new World('2026-03-02T10:00:30Z', { storage })
    const scheduler = world.scheduler()
    const initialized = scheduler.initialize([world.task('a', '1 10 * * *')])
    await world.minutes(5)
    await initialized
    expect(world.attemptsOf('a')).toEqual([`2026-03-02T${at}Z`])
    expect(world.eventsOf('PollingDelayed')).toMatchObject([{ delayMs: 130_000 }])
    await scheduler.stop()
  })

  it('of a clock that was set back leaves no start before its minute, and says why', async () => {
    const sentences: string[] = []
    const debug = (sentence: string): void => void sentences.push(sentence)
    const world = new World('2026-03-02T09:00:00Z', { logger: { debug } })
    const scheduler = world.scheduler()
    const run = new Gate()
    await scheduler.initialize([world.task('a', '0,3 9 * * *', () => run.passed)])
    await world.until('2026-03-02T09:03:30Z')
    world.clock.step(-150_000)
    await world.until('2026-03-02T09:01:30Z')
    // What fell into the run is owed after it, and the clock shows an earlier time by then.
    run.open()
    await world.settled()
    const starts = world.eventsOf('TaskRunStarted')
    expect(starts).toHaveLength(2)
    expect(starts[1]).toMatchObject({
      time: new Date('2026-03-02T09:01:30Z'),
      scheduledFor: null,
      scheduledBeforeSetBack: new Date('2026-03-02T09:03:00Z'),
    })
    expect(world.eventsOf('ClockSetBack')).toHaveLength(1)
    expect(sentences).toContain(
      'task "a" starts, for 2026-03-02T09:03:00.000Z, which came before the clock was set back',
    )
    await scheduler.stop()
  })

  it('is not told of where there is none', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '30 * * * *')])
    await world.minutes(180)
    expect(world.eventTypes()).not.toContain('PollingDelayed')
    await scheduler.stop()
  })
})
