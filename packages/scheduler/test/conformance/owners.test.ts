import { createScheduler, memoryStorage, type Storage, StorageInUseError } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { rejectionOf } from './rejection.js'

/** A storage of a user, which notes its calls and answers `own` as told. */
function storageWith(own: (whenInUse: string) => boolean): { storage: Storage; calls: string[] } {
  const inner = memoryStorage()
  const calls: string[] = []
  const noted = async <Result>(call: string, work: () => Result): Promise<Awaited<Result>> => {
    calls.push(call)
    return await work()
  }
  const storage: Storage = {
    open: () => noted('open', () => inner.open()),
    own: (whenInUse) => noted(`own ${whenInUse}`, () => own(whenInUse)),
    change: (decide) => noted('change', () => inner.change(decide)),
    save: (...args) => inner.save(...args),
    close: () => noted('close', () => inner.close()),
  }
  return { storage, calls }
}

const hang = (): Promise<void> => new Promise(() => undefined)

describe('a storage that can tell its owner', () => {
  it('is asked between open and change, and to refuse where nothing else is said', async () => {
    const { storage, calls } = storageWith(() => false)
    const world = new World('2026-03-02T10:00:30Z', { storage })
    for (const options of [{}, { whenInUse: 'takeOver' }] as const) {
      const scheduler = world.scheduler(options)
      await scheduler.initialize([])
      await scheduler.stop()
    }
    const asked = (how: string): string[] => ['open', `own ${how}`, 'change', 'close']
    expect(calls).toEqual([...asked('refuse'), ...asked('takeOver')])
  })

  it('makes initialize reject as it does, with nothing changed and the storage closed', async () => {
    const details = { file: 'x.db', schedule: 'default', processId: 7, host: 'h' }
    const { storage, calls } = storageWith(() => {
      throw new StorageInUseError(details)
    })
    const world = new World('2026-03-02T10:00:30Z', { storage })
    const error = await rejectionOf(world.scheduler().initialize([world.task('a', '* * * * *')]))
    expect(error).toMatchObject({ name: 'StorageInUseError', code: 'KRON_STORAGE_IN_USE', details })
    expect(error.message).toBe(
      'The schedule "default" in x.db is in use by process 7 on h: stop that process first, ' +
        "give this scheduler a file or schedule of its own, or take over with whenInUse: 'takeOver'",
    )
    expect(calls).toEqual(['open', 'own refuse', 'close'])
    expect(world.eventTypes().at(-1)).toBe('SchedulerInitializationFailed')
  })

  it.each([
    [true, { orphanedTasks: 0, preservedTasks: 1 }, ['11:00:00']],
    [false, { orphanedTasks: 1, preservedTasks: 0 }, ['10:00:30', '11:00:00']],
  ])('says %s to a living owner, whose runs are then %o', async (lives, counts, attempts) => {
    const { storage } = storageWith((whenInUse) => whenInUse === 'takeOver' && lives)
    const world = new World('2026-03-02T10:00:30Z', { storage })
    await world.scheduler().initialize([world.task('a', '0 * * * *', hang)])
    await world.settled()
    world.attempts.length = 0
    const successor = world.scheduler({ whenInUse: 'takeOver' })
    await successor.initialize([world.task('a', '0 * * * *')])
    await world.until('2026-03-02T11:00:30Z')
    expect(world.eventsOf('SchedulerInitializationCompleted').at(-1)).toMatchObject(counts)
    expect(world.attemptsOf('a').map((at) => at.slice(11, 19))).toEqual(attempts)
    await successor.stop()
  })
})

describe('a storage that can not tell its owner', () => {
  it('lets the last to initialize take over, and what ran is an orphan', async () => {
    const world = new World('2026-03-02T10:00:30Z')
    const first = world.scheduler()
    await first.initialize([world.task('a', '0 * * * *', hang)])
    await world.settled()
    const second = world.scheduler({ whenInUse: 'refuse' })
    await second.initialize([world.task('a', '0 * * * *')])
    await world.settled()
    const reasons = world.eventsOf('TaskRunStarted').map(({ reason }) => reason)
    expect(reasons).toEqual(['cron', 'orphaned'])
    await second.stop()
  })
})

describe('whenInUse', () => {
  it.each(['wait', '', null, 5])('is never %o', (whenInUse) => {
    const storage = memoryStorage()
    expect(() => createScheduler({ storage, whenInUse: whenInUse as 'refuse' })).toThrow(
      /whenInUse must be one of refuse, takeOver/,
    )
  })
})
