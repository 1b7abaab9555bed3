import { describe, expect, it } from 'vitest'
import { Gate, World } from '../world.js'

const ofPolling = (world: World): string[] =>
  world.eventTypes().filter((type) => type.startsWith('Polling'))

describe('polling', () => {
  it('is inactive before the first task, and without any', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([])
    await world.minutes(5)
    expect(ofPolling(world)).toEqual([])
    await scheduler.stop()
    expect(ofPolling(world)).toEqual([])
    expect(world.eventTypes().at(-1)).toBe('SchedulerStopped')
  })

  it('becomes active with the first task: PollingStarted, once for all of them', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '1 * * * *'), world.task('b', '2 * * * *')])
    expect(world.eventsOf('PollingStarted')).toEqual([
      { type: 'PollingStarted', time: new Date('2026-03-02T10:00:00Z'), tasks: 2 },
    ])
    await world.minutes(2)
    expect(world.attempts).toHaveLength(2)
    await scheduler.stop()
  })

  it('becomes inactive again when the last task is gone', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '* * * * *')])
    await world.settled()
    await scheduler.stop()
    await scheduler.initialize([])
    await world.minutes(5)
    expect(ofPolling(world)).toEqual(['PollingStarted', 'PollingStopRequested', 'PollingStopped'])
    expect(world.attempts).toHaveLength(1)
    await scheduler.stop()
  })

  it('becomes stopping when a stop is requested: PollingStopRequested', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const gate = new Gate()
    const scheduler = world.scheduler()
    await scheduler.initialize([world.task('a', '0 * * * *', () => gate.passed)])
    await world.settled()
    const stopped = scheduler.stop()
    await world.minutes(3)
    expect(ofPolling(world)).toEqual(['PollingStarted', 'PollingStopRequested'])
    gate.open()
    await stopped
  })

  it('becomes inactive when all that runs has ended: PollingStopped', async () => {
    const world = new World('2026-03-02T10:00:00Z')
    const gates = [new Gate(), new Gate()]
    const scheduler = world.scheduler()
    await scheduler.initialize(
      gates.map((gate, index) => world.task(`${index}`, '0 * * * *', () => gate.passed)),
    )
    await world.settled()
    const stopped = scheduler.stop()
    gates[0]!.open()
    await world.minutes(1)
    expect(ofPolling(world)).not.toContain('PollingStopped')
    gates[1]!.open()
    await stopped
    expect(ofPolling(world)).toEqual(['PollingStarted', 'PollingStopRequested', 'PollingStopped'])
    expect(world.clock.pending).toBe(0)
  })
})
