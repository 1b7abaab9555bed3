import { describe, expect, it } from 'vitest'
import { gatherMs, numberOf, range, setUp, withBody } from '../../testing/worker/recorder-world.js'
import type { Outcome } from '../scheduling/index.js'
import { StoreError } from '../store/index.js'

describe('an outcome that the store refuses', () => {
  it('keeps no other from being written, and is written without its body', async () => {
    const world = setUp()
    world.isRefused = (outcomes) => outcomes.some(({ response }) => response!.body.byteLength > 10)
    for (let run = 1; run <= 9; run++) world.recorder.add(withBody(run, run === 4 ? 11 : 10))
    await world.clock.advanceBy(1_000)
    expect(world.recorded.toSorted(([a], [b]) => a - b)).toEqual(
      range(1, 9).map((run) => [run, 'recorded']),
    )
    expect(world.recorder.size).toBe(0)
  })

  it('says without its body that this is not all of the response', async () => {
    const world = setUp()
    world.isRefused = (outcomes) => outcomes.some(({ response }) => response!.body.byteLength > 10)
    const responses: Outcome['response'][] = []
    world.onRecorded = ({ response }) => void responses.push(response)
    world.recorder.add(withBody(1, 11))
    await world.clock.advanceBy(1_000)
    const body = new Uint8Array()
    expect(responses).toEqual([{ httpStatus: 200, headers: {}, truncated: true, body }])
  })

  it('is left to its lease after twenty tries alone', async () => {
    const world = setUp()
    world.isRefused = (outcomes) => outcomes.some((one) => numberOf(one) === 2)
    world.add(1, 2)
    await world.clock.advanceBy(100_000)
    const alone = world.batches.filter(({ runs }) => runs.join() === '2')
    // The half of the batch that it was, and then the tries.
    expect(alone).toHaveLength(1 + 20)
  })

  it('is not left to its lease because the store is away', async () => {
    const world = setUp()
    world.isRefused = () => true
    world.add(1)
    await world.clock.advanceBy(gatherMs)
    world.isAway = true
    await world.clock.advanceBy(100_000)
    expect(world.batches.length).toBeGreaterThan(40)
    world.isAway = false
    world.isRefused = () => false
    await world.clock.advanceBy(2_000)
    expect(world.recorded).toEqual([[1, 'recorded']])
  })

  it('is left without a word when its worker gives up', async () => {
    const world = setUp()
    world.isRefused = () => true
    world.add(1)
    await world.clock.advanceBy(1_000)
    world.recorder.giveUp()
    const sent = world.batches.length
    await world.clock.advanceBy(100_000)
    expect([world.batches.length - sent, world.recorded, world.clock.pending]).toEqual([0, [], 0])
  })

  it.each(['broken', 'incompatible'] as const)(
    'by a store that is %s keeps no other from being written',
    async (code) => {
      const world = setUp()
      world.refusal = new StoreError(code, 'a column of it', 'no')
      world.isRefused = (outcomes) => outcomes.some((one) => numberOf(one) === 2)
      world.add(1, 2, 3)
      await world.clock.advanceBy(1_000)
      expect(world.recorded.map(([run]) => run).toSorted()).toEqual([1, 3])
    },
  )

  it('is left to its lease when nothing helps, and the others go on', async () => {
    const world = setUp()
    world.isRefused = (outcomes) => outcomes.some((one) => numberOf(one) === 2)
    world.add(1, 2, 3)
    await world.clock.advanceBy(100_000)
    expect(world.recorded.toSorted(([a], [b]) => a - b)).toEqual([
      [1, 'recorded'],
      [2, 'fenced'],
      [3, 'recorded'],
    ])
    expect(world.clock.pending).toBe(0)
  })
})
