import {
  createScheduler,
  memoryStorage,
  SchedulerAlreadyActiveError,
  SchedulerError,
  SchedulerInitializationError,
  type StorageDetails,
  StorageError,
} from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from '../world.js'
import { rejectionOf } from './rejection.js'
import { changed } from './stored.js'

describe('a scheduler that is active', () => {
  it('says "initializing" while it initializes', async () => {
    const gate = new Gate()
    const inner = memoryStorage()
    const storage = changed(inner, { open: () => gate.passed.then(() => inner.open()) })
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    const first = scheduler.initialize([])
    const error = await rejectionOf(scheduler.initialize([]))
    expect(error).toBeInstanceOf(SchedulerAlreadyActiveError)
    expect(error.name).toBe('SchedulerAlreadyActiveError')
    expect(error.message).toBe('Cannot initialize scheduler: scheduler is already initializing')
    expect(error.details).toEqual({ currentState: 'initializing' })
    gate.open()
    await first
    await scheduler.stop()
  })

  it('says "running" while it runs', async () => {
    const scheduler = new World('2026-03-02T10:00:00Z').scheduler()
    await scheduler.initialize([])
    const error = await rejectionOf(scheduler.initialize([]))
    expect(error.name).toBe('SchedulerAlreadyActiveError')
    expect(error.message).toBe('Cannot initialize scheduler: scheduler is already running')
    expect(error.details).toEqual({ currentState: 'running' })
    await scheduler.stop()
  })

  it('says so before it looks at the registrations', async () => {
    const scheduler = new World('2026-03-02T10:00:00Z').scheduler()
    await scheduler.initialize([])
    const refused = scheduler.initialize(5 as never)
    await expect(refused).rejects.toBeInstanceOf(SchedulerAlreadyActiveError)
    await scheduler.stop()
  })
})

describe('an unexpected error', () => {
  const unexpected = new RangeError('disk on fire')

  it.each([
    ['open', 'open', 'Storage failed to open: disk on fire'],
    ['change', 'initialize', 'Storage failed to initialize: disk on fire'],
  ] as const)('of %s is wrapped, with the original as details.cause', async (call, name, text) => {
    const storage = changed(memoryStorage(), { [call]: () => Promise.reject(unexpected) })
    const scheduler = new World('2026-03-02T10:00:00Z', { storage }).scheduler()
    const error = await rejectionOf(scheduler.initialize([]))
    expect(error).toBeInstanceOf(StorageError)
    expect(error).toBeInstanceOf(SchedulerError)
    expect(error.message).toBe(text)
    expect((error.details as StorageDetails).operation).toBe(name)
    expect((error.details as StorageDetails).cause).toBe(unexpected)
    expect(error.cause).toBe(unexpected)
  })

  it('of close does not keep stop from ending', async () => {
    const told: unknown[] = []
    const error = (_message: string, fields?: object): void => void told.push(fields)
    const logger = { debug: () => {}, info: () => {}, warn: () => {}, error }
    const storage = changed(memoryStorage(), { close: () => Promise.reject(unexpected) })
    const world = new World('2026-03-02T10:00:00Z', { storage, logger })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await scheduler.stop()
    expect(world.eventTypes().at(-1)).toBe('SchedulerStopped')
    expect(told).toMatchObject([{ error: { details: { cause: unexpected } } }])
  })

  it('leaves no scheduler behind that can not be initialized', async () => {
    let isBroken = true
    const inner = memoryStorage()
    const storage = changed(inner, {
      open: () => (isBroken ? Promise.reject(unexpected) : inner.open()),
    })
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    await rejectionOf(scheduler.initialize([world.task('a', '0 * * * *')]))
    isBroken = false
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await world.settled()
    expect(world.attemptsOf('a')).toHaveLength(1)
    await scheduler.stop()
  })

  it('of the clock leaves no scheduler behind that can not be initialized', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    let isBroken = true
    const now = (): Date => {
      if (isBroken) throw unexpected
      return world.clock.now()
    }
    const clock = { now, sleep: world.clock.sleep.bind(world.clock) }
    const scheduler = createScheduler({ storage: world.storage, clock, timeZone: 'UTC' })
    const error = await rejectionOf(scheduler.initialize([]))
    expect(error).toBeInstanceOf(SchedulerInitializationError)
    expect(error.message).toContain('disk on fire')
    expect(error.details).toEqual({ cause: unexpected })
    isBroken = false
    await expect(scheduler.initialize([])).resolves.toBeUndefined()
    await scheduler.stop()
  })
})

describe('an error', () => {
  it('has its name on the class, where neither minifiers nor JSON lose it', async () => {
    const error = await rejectionOf(
      new World('2026-03-02T10:00:00Z').scheduler().initialize(undefined as never),
    )
    expect(Object.hasOwn(error, 'name')).toBe(false)
    expect(String(error)).toBe('RegistrationsNotArrayError: Registrations must be an array')
    expect(error.code).toBe('KRON_REGISTRATIONS_NOT_ARRAY')
  })
})
