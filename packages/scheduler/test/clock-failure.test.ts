import { createScheduler, Duration, memoryStorage } from '@kron/scheduler'
import { expect, it } from 'vitest'
import { World } from './world.js'

it('a clock that fails for a while stands still, and everything goes on after it', async () => {
  const { clock } = new World('2026-03-02T10:00:00Z')
  const state = { isBroken: false }
  const told: string[] = []
  const runs: string[] = []
  const scheduler = createScheduler({
    storage: memoryStorage(),
    timeZone: 'UTC',
    logger: { error: (message) => void told.push(message) },
    clock: {
      now: () => {
        if (state.isBroken) throw new Error('no time')
        return clock.now()
      },
      sleep: (ms, signal) => clock.sleep(ms, signal),
    },
  })
  const run = async (): Promise<void> => {
    runs.push(clock.now().toISOString())
    state.isBroken = runs.length === 1
  }
  await scheduler.initialize([['a', '* * * * *', run, Duration.minutes(1)]])
  await clock.advanceBy(0)
  expect(told[0]).toBe('polling met something unexpected and continues: no time')
  state.isBroken = false
  await clock.advanceBy(120_000)
  expect(runs).toEqual([
    '2026-03-02T10:00:00.000Z',
    '2026-03-02T10:01:00.000Z',
    '2026-03-02T10:02:00.000Z',
  ])
  state.isBroken = true
  await scheduler.stop()
})
