import { Duration } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { World } from '../world.js'
import { dumpOf, instant, recordOf } from './stored.js'

const hang = () => new Promise(() => undefined)

/** A world in which a task was started at 10:00 and its process died in the middle. */
async function afterCrash(): Promise<World> {
  const world = new World('2026-03-02T10:00:00Z')
  await world.scheduler().initialize([world.task('a', '0 * * * *', hang)])
  await world.minutes(3)
  return world
}

describe('an orphan', () => {
  it('is a task that another instance did not finish: it restarts at once', async () => {
    const world = await afterCrash()
    await world.scheduler().initialize([world.task('a', '0 * * * *')])
    await world.settled()
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:03:00Z'])
    expect(world.events).toContainEqual(expect.objectContaining({ orphanedTasks: 1 }))
    expect(world.eventsOf('TaskRunStarted').at(-1)).toMatchObject({ reason: 'orphaned' })
  })

  it('restarts once, and not again at the next start', async () => {
    const world = await afterCrash()
    const second = world.scheduler()
    await second.initialize([world.task('a', '0 * * * *')])
    await world.minutes(5)
    await second.stop()
    await world.scheduler().initialize([world.task('a', '0 * * * *')])
    await world.minutes(5)
    expect(world.attemptsOf('a')).toHaveLength(2)
  })

  it('gets the new configuration, and comes before overridden', async () => {
    const world = await afterCrash()
    const delay = Duration.minutes(9)
    await world.scheduler().initialize([world.task('a', '30 * * * *', undefined, delay)])
    await world.settled()
    expect(world.eventsOf('SchedulerInitializationCompleted').at(-1)).toMatchObject({
      orphanedTasks: 1,
      overriddenTasks: 0,
    })
    expect(world.attemptsOf('a')).toHaveLength(2)
    expect(await recordOf(world.storage, 'a')).toMatchObject({
      expression: '30 * * * *',
      retryDelayMs: 540_000,
      lastAttemptAt: instant('2026-03-02T10:03:00Z'),
    })
  })

  it('that dies again before it restarts is an orphan still', async () => {
    const world = await afterCrash()
    await world.scheduler().initialize([world.task('a', '0 * * * *')])
    await world.scheduler().initialize([world.task('a', '0 * * * *')])
    await world.settled()
    expect(world.eventsOf('TaskRunStarted').at(-1)).toMatchObject({ reason: 'orphaned' })
  })

  it('that owes a missed minute as well runs once for both', async () => {
    const world = await afterCrash()
    await world.minutes(90)
    await world.scheduler().initialize([world.task('a', '0 * * * *')])
    await world.minutes(20)
    expect(world.attemptsOf('a')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T11:33:00Z'])
  })

  it('that is no longer registered is forgotten', async () => {
    const world = await afterCrash()
    await world.scheduler().initialize([world.task('b', '0 * * * *')])
    await world.minutes(5)
    expect(world.attemptsOf('a')).toHaveLength(1)
    expect((await dumpOf(world.storage)).tasks.map(({ name }) => name)).toEqual(['b'])
  })

  it('is no task whose run was waited for', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const first = world.scheduler()
    await first.initialize([world.task('a', '0 * * * *', () => world.clock.sleep(90_000))])
    await world.settled()
    const stopped = first.stop()
    await world.minutes(2)
    await stopped
    await world.scheduler().initialize([world.task('a', '0 * * * *')])
    await world.minutes(5)
    expect(world.attemptsOf('a')).toHaveLength(1)
  })
})

describe('the identifier of the scheduler', () => {
  it('is made at the first initialization, and kept', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    expect((await dumpOf(world.storage)).schedulerId).toBeNull()
    const first = world.scheduler()
    await first.initialize([])
    const { schedulerId } = await dumpOf(world.storage)
    expect(schedulerId).toMatch(/^\S{16,}$/)
    await first.stop()
    await world.scheduler().initialize([])
    expect((await dumpOf(world.storage)).schedulerId).toBe(schedulerId)
    const ids = world.eventsOf('SchedulerInitializationCompleted').map((event) => event.schedulerId)
    expect(ids).toEqual([schedulerId, schedulerId])
  })

  it('is another one in another storage', async () => {
    const ids = new Set<string | null>()
    for (let count = 0; count < 5; count++) {
      const world = new World('2026-03-02T10:00:00Z')
      await world.scheduler().initialize([])
      ids.add((await dumpOf(world.storage)).schedulerId)
    }
    expect(ids.size).toBe(5)
  })

  it('comes with one of the instance, and starts are recorded with that', async () => {
    const world = await afterCrash()
    const { instanceId } = world.eventsOf('SchedulerInitializationCompleted')[0]!
    expect((await recordOf(world.storage, 'a')).runningInstance).toBe(instanceId)
    expect((await dumpOf(world.storage)).instanceId).toBe(instanceId)
    await world.scheduler().initialize([world.task('a', '0 * * * *', hang)])
    await world.settled()
    const second = world.eventsOf('SchedulerInitializationCompleted').at(-1)!.instanceId
    expect(second).not.toBe(instanceId)
    expect((await recordOf(world.storage, 'a')).runningInstance).toBe(second)
  })
})
