import { memoryStorage, type SchedulerEvent } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { Gate, World } from '../world.js'
import { changed, dumpOf, recordOf } from './stored.js'

describe('stop', () => {
  it('before initialize has nothing to do', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await expect(scheduler.stop()).resolves.toBeUndefined()
    expect(world.events).toEqual([])
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await world.settled()
    expect(world.attempts).toHaveLength(1)
    await scheduler.stop()
  })

  it('twice stops once', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await Promise.all([scheduler.stop(), scheduler.stop()])
    await scheduler.stop()
    expect(world.eventsOf('SchedulerStopRequested')).toHaveLength(1)
    expect(world.eventsOf('SchedulerStopped')).toHaveLength(1)
  })

  it('waits for all that runs, however it ends', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const gates = [new Gate(), new Gate(), new Gate()]
    const scheduler = world.scheduler()
    await scheduler.initialize(
      gates.map((gate, index) => world.task(`${index}`, '0 * * * *', () => gate.passed)),
    )
    await world.settled()
    let isStopped = false
    const stopped = scheduler.stop().then(() => {
      isStopped = true
    })
    for (const gate of gates) {
      await world.minutes(5)
      expect(isStopped).toBe(false)
      if (gate === gates[1]) gate.fail(new Error('no'))
      else gate.open()
    }
    await stopped
    const { tasks } = await dumpOf(world.storage)
    expect(tasks.map(({ runningInstance }) => runningInstance)).toEqual([null, null, null])
    expect(world.eventsOf('TaskRunCompleted')).toHaveLength(2)
    expect(world.eventsOf('TaskRunFailed')).toHaveLength(1)
  })

  it('lets nothing start any more, not even what falls due or is to be tried again', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const gate = new Gate()
    const scheduler = world.scheduler()
    await scheduler.initialize([
      world.task('runs', '* * * * *', () => gate.passed),
      world.task('due', '2 * * * *'),
      world.task('fails', '0 * * * *', () => Promise.reject(new Error('no'))),
    ])
    await world.minutes(1)
    const stopped = scheduler.stop()
    await world.minutes(15)
    gate.open()
    await stopped
    await world.minutes(15)
    expect(world.attempts.map(({ task }) => task)).toEqual(['runs', 'fails'])
  })

  it('lets nothing start whose start was just being recorded, and that stays owed', async () => {
    const inner = memoryStorage()
    const gate = new Gate()
    let isSlow = true
    const storage = changed(inner, {
      save: async (...received) => {
        if (isSlow) await gate.passed
        await inner.save(...received)
      },
    })
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await world.settled()
    const stopped = scheduler.stop()
    gate.open()
    await stopped
    isSlow = false
    expect(world.attempts).toEqual([])
    const { lastAttemptAt, runningInstance } = await recordOf(inner, 'a')
    expect({ lastAttemptAt, runningInstance }).toEqual({
      lastAttemptAt: null,
      runningInstance: null,
    })
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await world.settled()
    expect(world.attempts).toHaveLength(1)
    await scheduler.stop()
  })

  it('right after initialize keeps even the first run from starting', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await scheduler.stop()
    await world.minutes(2)
    expect(world.attempts).toEqual([])
  })

  it('releases what polling held, though a task has failed', async () => {
    const inner = memoryStorage()
    let open = 0
    const storage = changed(inner, {
      open: () => {
        open++
        return inner.open()
      },
      close: () => {
        open--
        return inner.close()
      },
    })
    const world = new World('2026-03-02T10:00:00Z', { storage })
    const scheduler = world.scheduler()
    const slowly = () => world.clock.sleep(1000).then(() => Promise.reject(new Error('no')))
    await scheduler.initialize([world.task('a', '0 * * * *', slowly)])
    await world.settled()
    const stopped = scheduler.stop()
    await world.minutes(1)
    await stopped
    expect(open).toBe(0)
    expect(world.clock.pending).toBe(0)
    expect(world.eventTypes().slice(-3)).toEqual([
      'TaskRunFailed',
      'PollingStopped',
      'SchedulerStopped',
    ])
  })
})

describe('stop from inside a listener', () => {
  it.each([
    'SchedulerInitializationStarted',
    'PollingStarted',
    'SchedulerInitializationCompleted',
    'TaskRunStarted',
  ] as const)('of %s resolves when the scheduler has stopped, and not before', async (type) => {
    const world = new World('2026-03-02T10:00:00Z')
    const stops: Promise<boolean>[] = []
    const onEvent = (event: SchedulerEvent): void => {
      if (event.type !== type || stops.length > 0) return
      stops.push(scheduler.stop().then(() => world.eventTypes().includes('SchedulerStopped')))
    }
    const scheduler = world.scheduler({ onEvent })
    await scheduler.initialize([world.task('a', '0 * * * *')])
    await world.minutes(1)
    expect(await Promise.all(stops)).toEqual([true])
  })
})
