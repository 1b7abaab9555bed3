import { Duration, memoryStorage, type Registration, type Scheduler } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { type Fault, FaultySwitch, InjectedError } from './faulty-storage.js'
import { rejectionOf } from './rejection.js'
import { type Dump, dumpOf } from './stored.js'

const failing = (): never => {
  throw new Error('no')
}
const hourly = '0 * * * *'

/** At 10:03, after a crash: four tasks that ran, one of which failed and one never ended. */
class CrashedWorld {
  readonly memory = memoryStorage()
  readonly faulty = new FaultySwitch(this.memory)
  readonly world = new World('2026-03-02T10:00:00Z', { storage: this.faulty.storage })

  async begin(): Promise<void> {
    const { world } = this
    await world
      .scheduler()
      .initialize([
        world.task('kept', hourly),
        world.task('failed', hourly, failing, Duration.minutes(20)),
        world.task('gone', hourly),
        world.task('orphan', hourly, () => new Promise(() => undefined)),
      ])
    await world.minutes(3)
  }

  registrations(set: string): Registration[] {
    const { world } = this
    const kept = world.task('kept', hourly)
    const failed = world.task('failed', hourly, undefined, Duration.minutes(20))
    const gone = world.task('gone', hourly)
    const orphan = world.task('orphan', hourly)
    if (set === 'added') return [kept, failed, gone, orphan, world.task('new', '3 * * * *')]
    if (set === 'overridden and removed') {
      const another = world.task('failed', '1,30 * * * *', undefined, Duration.minutes(1))
      return [world.task('kept', '2,40 * * * *'), another, orphan]
    }
    const moved = world.task('orphan', '45 * * * *')
    return [kept, moved, world.task('new', '* * * * *'), world.task('other', '20 * * * *')]
  }

  /** What happens until noon if nothing else goes wrong. */
  async rest(scheduler: Scheduler): Promise<unknown> {
    await this.world.until('2026-03-02T12:00:30Z')
    await scheduler.stop()
    const { tasks } = await dumpOf(this.memory)
    return { attempts: this.world.attempts, tasks: tasks.map(withoutInstance) }
  }
}

const withoutInstance = (record: Dump['tasks'][number]): object => ({
  ...record,
  runningInstance: record.runningInstance === null ? null : 'some',
})

const sets = ['added', 'overridden and removed', 'orphaned, removed and added']
const faults: Fault[] = [
  { at: 'open', when: 'before' },
  { at: 'change', when: 'before' },
  ...[0, 1, 2, 3, 4].map((record) => ({ at: 'read', record }) as const),
  ...[0, 1].map((record) => ({ at: 'added', record }) as const),
  ...[0, 1, 2].map((record) => ({ at: 'replaced', record }) as const),
]
/** Of a storage that answers with an error although it has done what it was asked. */
const lateFaults: Fault[] = [
  { at: 'open', when: 'after' },
  { at: 'change', when: 'after' },
]
const cases = (some: readonly Fault[]) =>
  sets.flatMap((set) => some.map((fault) => [set, fault] as const))

async function without(set: string): Promise<{ rest: unknown; stored: Dump }> {
  const control = new CrashedWorld()
  await control.begin()
  const scheduler = control.world.scheduler()
  await scheduler.initialize(control.registrations(set))
  const stored = await dumpOf(control.memory)
  return { rest: await control.rest(scheduler), stored }
}

describe('an initialization whose storage fails', () => {
  it.each(cases(faults))('%s, at %o: leaves the old state whole', async (set, fault) => {
    const crashed = new CrashedWorld()
    await crashed.begin()
    const before = await dumpOf(crashed.memory)
    const scheduler = crashed.world.scheduler()
    crashed.faulty.fault = fault
    const registrations = crashed.registrations(set)
    const outcome = await scheduler.initialize(registrations).catch((error: unknown) => error)
    const isHit = outcome !== undefined
    // A set that writes fewer records than that does not reach the fault.
    if (isHit) {
      expect(outcome).toMatchObject({ details: { cause: expect.any(InjectedError) } })
      expect(await dumpOf(crashed.memory)).toEqual(before)
      expect(crashed.world.eventTypes().at(-1)).toBe('SchedulerInitializationFailed')
    } else expect(['added', 'replaced']).toContain(fault.at)
    crashed.faulty.fault = null
    if (isHit) await scheduler.initialize(crashed.registrations(set))
    expect(await crashed.rest(scheduler)).toEqual((await without(set)).rest)
  })

  it.each(cases(lateFaults))(
    '%s, at %o: leaves all of the old or all of the new',
    async (set, fault) => {
      const crashed = new CrashedWorld()
      await crashed.begin()
      const before = await dumpOf(crashed.memory)
      const scheduler = crashed.world.scheduler()
      crashed.faulty.fault = fault
      const error = await rejectionOf(scheduler.initialize(crashed.registrations(set)))
      expect(error.details).toMatchObject({ cause: expect.any(InjectedError) })
      const control = await without(set)
      const { tasks } = await dumpOf(crashed.memory)
      const whole = fault.at === 'open' ? before : control.stored
      expect(tasks.map(withoutInstance)).toEqual(whole.tasks.map(withoutInstance))
      crashed.faulty.fault = null
      await scheduler.initialize(crashed.registrations(set))
      expect(await crashed.rest(scheduler)).toEqual(control.rest)
    },
  )

  it.each(sets)('%s: has some record of each kind at which it fails', async (set) => {
    const hit = new Set<string>()
    for (const fault of faults) {
      const crashed = new CrashedWorld()
      await crashed.begin()
      crashed.faulty.fault = fault
      const initialized = crashed.world.scheduler().initialize(crashed.registrations(set))
      await initialized.catch(() => hit.add(fault.at))
    }
    expect([...hit].sort()).toEqual(['added', 'change', 'open', 'read', 'replaced'])
  })

  it('opens and closes the storage in pairs', async () => {
    const crashed = new CrashedWorld()
    await crashed.begin()
    crashed.faulty.fault = { at: 'change', when: 'before' }
    let open = 0
    const { storage } = crashed.faulty
    const counted = {
      ...storage,
      open: async () => {
        await storage.open()
        open++
      },
      close: async () => {
        await storage.close()
        open--
      },
    }
    const scheduler = crashed.world.scheduler({ storage: counted })
    await rejectionOf(scheduler.initialize([]))
    expect(open).toBe(0)
    crashed.faulty.fault = null
    await scheduler.initialize([])
    expect(open).toBe(1)
    await scheduler.stop()
    expect(open).toBe(0)
  })
})
