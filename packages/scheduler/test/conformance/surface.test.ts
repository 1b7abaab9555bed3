import {
  createScheduler,
  Duration,
  memoryStorage,
  type Registration,
  type SchedulerEvent,
  type SchedulerOptions,
} from '@kron/scheduler'
import { Duration as LuxonDuration } from 'luxon'
import { afterEach, describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { recordOf } from './stored.js'

describe('a scheduler', () => {
  it('has exactly the methods initialize and stop', () => {
    const scheduler = new World('2026-03-02T10:00:00Z').scheduler()
    expect(Reflect.ownKeys(scheduler).sort()).toEqual(['initialize', 'stop'])
    expect(Object.getPrototypeOf(scheduler)).toBe(Object.prototype)
  })

  it('answers both calls with a promise of nothing', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const { initialize, stop } = world.scheduler()
    const initialized = initialize([world.task('a', '* * * * *')])
    expect(initialized).toBeInstanceOf(Promise)
    await expect(initialized).resolves.toBeUndefined()
    const stopped = stop()
    expect(stopped).toBeInstanceOf(Promise)
    await expect(stopped).resolves.toBeUndefined()
  })

  it('takes registrations of name, expression, callback and duration', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    let calls = 0
    const registration: Registration = [
      'backup',
      '0 10 * * *',
      async () => {
        calls++
      },
      Duration.minutes(5),
    ]
    await scheduler.initialize([registration])
    await world.settled()
    expect(calls).toBe(1)
    await scheduler.stop()
  })

  it('calls the callback without arguments and waits for its promise', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const seen: unknown[][] = []
    const callback = async (...received: unknown[]): Promise<void> => {
      seen.push(received)
      await world.clock.sleep(90_000)
    }
    await scheduler.initialize([['a', '0 10 * * *', callback, Duration.ms(0)]])
    await world.minutes(3)
    expect(seen).toEqual([[]])
    expect(world.eventsOf('TaskRunCompleted').map(({ time }) => time.toISOString())).toEqual([
      '2026-03-02T10:01:30.000Z',
    ])
    await scheduler.stop()
  })
})

describe('a retry delay', () => {
  const temporal = { total: (unit: string) => (unit === 'milliseconds' ? 90_000 : Number.NaN) }
  const kinds: [kind: string, delay: Registration[3], ms: number][] = [
    ['a duration of milliseconds', Duration.ms(1500), 1500],
    ['a duration of seconds', Duration.seconds(90), 90_000],
    ['a duration of minutes', Duration.minutes(2), 120_000],
    ['a duration of hours', Duration.hours(1), 3_600_000],
    ['a duration that was parsed', Duration.parse('5m'), 300_000],
    ['a duration of Luxon', LuxonDuration.fromObject({ minutes: 1, seconds: 30 }), 90_000],
    ['a duration of Temporal', temporal, 90_000],
    ['a duration of zero', Duration.ms(0), 0],
  ]
  it.each(kinds)('may be %s', async (_kind, delay, ms) => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    expect(Duration.ms(ms).ms).toBe(ms)
    await scheduler.initialize([world.task('a', '0 0 * * *', undefined, delay)])
    expect((await recordOf(world.storage, 'a')).retryDelayMs).toBe(ms)
    await scheduler.stop()
  })
})

describe('the options', () => {
  const hostZone = process.env['TZ']
  afterEach(() => {
    if (hostZone === undefined) delete process.env['TZ']
    else process.env['TZ'] = hostZone
  })

  it('take the clock of the system where none is given', async () => {
    const before = Date.now()
    const storage = memoryStorage()
    const scheduler = createScheduler({ storage })
    const startedAt = await new Promise<number>((resolve) => {
      const callback = async (): Promise<void> => resolve(Date.now())
      void scheduler.initialize([['a', '* * * * *', callback, Duration.minutes(1)]])
    })
    await scheduler.stop()
    const { lastAttemptAt } = await recordOf(storage, 'a')
    expect(lastAttemptAt).toBeGreaterThanOrEqual(before)
    expect(lastAttemptAt).toBeLessThanOrEqual(startedAt)
  })

  it('take the zone of the host where none is given', async () => {
    process.env['TZ'] = 'Asia/Kolkata'
    const world = new World('2026-03-02T10:00:00Z')
    const { storage, clock, events } = world
    const onEvent = (event: SchedulerEvent): void => void events.push(event)
    const scheduler = createScheduler({ storage, clock, onEvent })
    await scheduler.initialize([world.task('a', '30 15 * * *'), world.task('b', '0 10 * * *')])
    await world.minutes(24 * 60)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-03T10:00:00Z'])
    expect(world.attemptsOf('b')).toEqual(['2026-03-03T04:30:00Z'])
    await scheduler.stop()
  })

  it('take the zone that they name', async () => {
    const world = new World('2026-03-02T10:00:00Z', { timeZone: 'America/St_Johns' })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '30 6 * * *')])
    await world.minutes(1)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z'])
    await scheduler.stop()
  })

  it('name a listener that hears every event with its type and time', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.minutes(1)
    await scheduler.stop()
    for (const event of world.events) expect(event.time).toBeInstanceOf(Date)
    const starts = world.eventsOf('TaskRunStarted').map(({ time }) => time.toISOString())
    expect(starts).toEqual(['2026-03-02T10:00:00.000Z', '2026-03-02T10:01:00.000Z'])
  })

  it('name a logger that is told every event as a sentence', async () => {
    const told: [level: string, message: string][] = []
    const level =
      (name: string) =>
      (message: string): void =>
        void told.push([name, message])
    const logger = {
      debug: level('debug'),
      info: level('info'),
      warn: level('warn'),
      error: level('error'),
    }
    const world = new World('2026-03-02T10:00:00Z', { logger })
    const scheduler = world.scheduler()
    const failing = (): never => {
      throw new Error('no')
    }
    await scheduler.initialize([world.task('a', '* * * * *', failing)])
    await world.settled()
    await scheduler.stop()
    expect(told).toHaveLength(world.events.length)
    expect(told).toContainEqual([
      'warn',
      'task "a" failed, next try at 2026-03-02T10:05:00.000Z: no',
    ])
  })

  it('name a logger whose sentences have the reason of a failure', async () => {
    const told: string[] = []
    const tell = (message: string): void => void told.push(message)
    const world = new World('2026-03-02T10:00:00Z', { logger: { info: tell, error: tell } })
    const refused = world.scheduler({
      onEvent: () => {
        throw new Error('no listener')
      },
    })
    await refused.initialize([world.task('', '* * * * *')]).catch(() => undefined)
    expect(told).toEqual([
      'onEvent threw at SchedulerInitializationStarted: no listener',
      'onEvent threw at SchedulerInitializationFailed: no listener',
      'could not be initialized: Invalid registration: name must not be empty',
    ])
  })

  it.each([
    ['a listener that throws', { onEvent: thrower }],
    ['a logger that throws', { logger: loggerOf(thrower) }],
    ['an asynchronous listener that rejects', { onEvent: rejecter }],
    ['an asynchronous logger that rejects', { logger: loggerOf(rejecter) }],
  ] as [string, SchedulerOptions][])('%s changes nothing', async (_what, options) => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler(options)
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.minutes(2)
    expect(world.attemptsOf('a')).toHaveLength(3)
    await scheduler.stop()
  })
})

function thrower(): never {
  throw new Error('from outside')
}

async function rejecter(): Promise<void> {
  throw new Error('from outside')
}

function loggerOf(method: () => void): Required<SchedulerOptions>['logger'] {
  return { debug: method, info: method, warn: method, error: method }
}
