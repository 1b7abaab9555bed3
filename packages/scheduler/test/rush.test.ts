import { memoryStorage, type Storage, type TaskRecord } from '@kron/scheduler'
import { describe, expect, it } from 'vitest'
import { FailingStorage } from './failing-storage.js'
import { World } from './world.js'

const many = 1200

/** A world with many tasks of one minute, and all that is written, save by save. */
function rushOf(expression: string) {
  const failing = new FailingStorage(memoryStorage())
  const saves: (readonly TaskRecord[])[] = []
  const storage: Storage = {
    open: () => failing.open(),
    change: (decide) => failing.change(decide),
    close: () => failing.close(),
    save: async (instanceId, records, watched) => {
      await failing.save(instanceId, records, watched)
      saves.push(records)
    },
  }
  const world = new World('2026-03-02T09:59:30Z', { storage })
  const tasks = Array.from({ length: many }, (_, index) => world.task(`t${index}`, expression))
  return { world, failing, saves, tasks }
}

describe('when many tasks start in one minute', () => {
  it('their starts are written first, and their ends after them', async () => {
    const { world, saves, tasks } = rushOf('0 10 * * *')
    const scheduler = world.scheduler()
    await scheduler.initialize(tasks)
    await world.until('2026-03-02T10:00:00Z')
    const counts = saves.map((records) => ({
      starts: records.filter(({ runningInstance }) => runningInstance !== null).length,
      ends: records.filter(({ runningInstance }) => runningInstance === null).length,
    }))
    expect(counts).toEqual([
      { starts: many, ends: 0 },
      { starts: 0, ends: many },
    ])
    expect(world.eventsOf('TaskRunCompleted')).toHaveLength(many)
    await scheduler.stop()
  })

  it('a task that starts again takes along the end that was not written yet', async () => {
    const { world, failing, saves, tasks } = rushOf('0,1,2 10 * * *')
    const scheduler = world.scheduler()
    await scheduler.initialize(tasks)
    let count = 0
    failing.plan = (call) => {
      const isDown = call === 'save' && count++ > 0 && world.now < '2026-03-02T10:01:30Z'
      return isDown ? 'fails before' : 'works'
    }
    await world.until('2026-03-02T10:03:00Z')
    const latest = new Map<string, number>()
    for (const { name, lastAttemptAt } of saves.flat()) {
      expect(lastAttemptAt).toBeGreaterThanOrEqual(latest.get(name) ?? 0)
      latest.set(name, lastAttemptAt!)
    }
    expect(world.attemptsOf('t7')).toEqual(['2026-03-02T10:00:00Z', '2026-03-02T10:02:03Z'])
    expect(saves.at(-1)!.every(({ runningInstance }) => runningInstance === null)).toBe(true)
    await scheduler.stop()
  })
})
