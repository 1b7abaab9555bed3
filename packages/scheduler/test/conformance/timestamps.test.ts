import { Duration } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from '../world.js'
import { instant, recordOf } from './stored.js'

const failing = (): never => {
  throw new Error('no')
}
const ten = instant('2026-03-02T10:00:00Z')

describe('lastAttemptAt', () => {
  it('is the start of the latest run, while it runs and after', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const gate = new Gate()
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *', () => gate.passed)])
    await world.minutes(3)
    expect((await recordOf(world.storage, 'a')).lastAttemptAt).toBe(ten)
    gate.open()
    await world.minutes(3)
    expect((await recordOf(world.storage, 'a')).lastAttemptAt).toBe(ten)
    await scheduler.stop()
  })

  it('is that of a failure as well', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *', failing, Duration.minutes(10))])
    await world.minutes(9)
    expect((await recordOf(world.storage, 'a')).lastAttemptAt).toBe(ten)
    await world.minutes(2)
    expect((await recordOf(world.storage, 'a')).lastAttemptAt).toBe(ten + 600_000)
    await scheduler.stop()
  })

  it('is stored before the callback is called', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const seen: (number | null)[] = []
    const look = async (): Promise<void> => {
      seen.push((await recordOf(world.storage, 'a')).lastAttemptAt)
    }
    await scheduler.initialize([world.task('a', '0 * * * *', look)])
    await world.settled()
    expect(seen).toEqual([ten])
    await scheduler.stop()
  })
})

describe('lastSuccessAt', () => {
  it('is null before the first success, and then the end of the latest', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    let isWorking = false
    const some = () => (isWorking ? world.clock.sleep(5000) : failing())
    await scheduler.initialize([world.task('a', '0,30 * * * *', some, Duration.hours(2))])
    await world.minutes(1)
    expect((await recordOf(world.storage, 'a')).lastSuccessAt).toBeNull()
    isWorking = true
    await world.until('2026-03-02T10:31:00Z')
    const success = instant('2026-03-02T10:30:05Z')
    expect((await recordOf(world.storage, 'a')).lastSuccessAt).toBe(success)
    isWorking = false
    await world.until('2026-03-02T11:01:00Z')
    const record = await recordOf(world.storage, 'a')
    expect(record.lastSuccessAt).toBe(success)
    expect(record.lastFailureAt).toBe(instant('2026-03-02T11:00:00Z'))
    await scheduler.stop()
  })
})

describe('pendingRetryUntil', () => {
  it('is the end of the failed run plus the delay, while the task awaits its retry', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    const failLate = () => world.clock.sleep(5000).then(failing)
    await scheduler.initialize([world.task('a', '0 * * * *', failLate, Duration.minutes(10))])
    await world.minutes(5)
    expect((await recordOf(world.storage, 'a')).pendingRetryUntil).toBe(ten + 605_000)
    await scheduler.stop()
  })

  it('is null in every other state', async () => {
    const world = new World('2026-03-02T09:59:00Z')
    const scheduler = world.scheduler()
    const [first, retry] = [new Gate(), new Gate()]
    let run: () => Promise<void> = () => first.passed
    await scheduler.initialize([world.task('a', '0 * * * *', () => run(), Duration.minutes(10))])
    const pending = async () => (await recordOf(world.storage, 'a')).pendingRetryUntil
    expect(await pending()).toBeNull()
    await world.until('2026-03-02T10:00:30Z')
    expect(await pending()).toBeNull()
    first.open()
    await world.until('2026-03-02T10:01:00Z')
    expect(await pending()).toBeNull()
    run = failing
    await world.until('2026-03-02T11:01:00Z')
    expect(await pending()).toBe(instant('2026-03-02T11:10:00Z'))
    run = () => retry.passed
    await world.until('2026-03-02T11:10:30Z')
    expect(world.attemptsOf('a')).toHaveLength(3)
    expect(await pending()).toBeNull()
    retry.open()
    await scheduler.stop()
  })
})
