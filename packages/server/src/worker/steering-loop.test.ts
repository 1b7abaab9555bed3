import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byInterval, sampleNow } from '../../testing/sample-endpoint.js'
import { minute, WorkerWorld } from '../../testing/worker/worker-world.js'

const hour = 60 * minute
const world = new WorkerWorld()
const { added, at, ms, runsOf, started } = world
beforeEach(world.open)
afterEach(world.close)

describe('an hourly endpoint whose responses steer it', () => {
  const moment = (): string => new Date(sampleNow + ms()).toISOString()
  it.each([
    ['a Kron-Next-Run in the past', () => ({ 'kron-next-run': '2020-01-01T00:00:00Z' })],
    ['a Kron-Next-Run of this very moment', () => ({ 'kron-next-run': moment() })],
    ['a Kron-Interval of a millisecond', () => ({ 'kron-interval': '1ms' })],
    ['a Kron-Interval of nothing', () => ({ 'kron-interval': '0s' })],
    [
      'a Kron-Next-Run after its own end',
      () => ({ 'kron-next-run': `${new Date(sampleNow + ms() + 2 * hour).toISOString()}; ttl=5m` }),
    ],
    ['a text that is no time', () => ({ 'kron-next-run': 'soon' })],
  ])('runs by its baseline on %s, which is noted in the run', async (_, answer) => {
    const endpoint = await added({ ...byInterval(hour), steering: true })
    world.answers.set(endpoint.id, answer)
    world.takesMs.set(endpoint.id, 5)
    started()
    await at(hour + 10_000)
    expect(world.sent).toHaveLength(1)
    const [run] = await runsOf(endpoint)
    expect(run).toMatchObject({ status: 'success' })
    expect(run!.notes).toEqual([expect.stringMatching(/^Kron-(Next-Run|Interval): /)])
  })

  it('runs when its response says, however far off, unless the response says for how long', async () => {
    const endpoint = await added({ ...byInterval(hour), steering: true })
    const nextRunAt = sampleNow + 5 * hour
    world.answers.set(endpoint.id, () => ({ 'kron-next-run': new Date(nextRunAt).toISOString() }))
    started()
    await at(4 * hour)
    expect(world.sent).toHaveLength(1)
    await at(5 * hour + 10_000)
    expect(world.sent).toHaveLength(2)
  })
})
