import { VirtualClock } from '@kron/runtime/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { Rush } from './rush.js'

describe('in a rush', () => {
  let clock: VirtualClock
  let places: { waiting: number }
  let rush: Rush
  let gone: string[]
  const wait = (name: string): void => void rush.over().then(() => gone.push(name))

  beforeEach(() => {
    clock = new VirtualClock(0)
    places = { waiting: 0 }
    rush = new Rush(clock, places)
    gone = []
  })

  it('what can wait goes on after the last start, and at once when there is none', async () => {
    wait('before')
    rush.begin()
    rush.begin()
    wait('a')
    rush.end()
    wait('b')
    await clock.advanceBy(1)
    expect(gone).toEqual(['before'])
    rush.end()
    await clock.advanceBy(1)
    expect(gone).toEqual(['before', 'a', 'b'])
    expect(clock.pending).toBe(0)
  })

  it('what begins to wait in the next one is not let go with those of the last', async () => {
    rush.begin()
    wait('a')
    rush.end()
    rush.begin()
    wait('b')
    await clock.advanceBy(4999)
    expect(gone).toEqual(['a'])
    await clock.advanceBy(1)
    expect(gone).toEqual(['a', 'b'])
  })

  it('nobody waits while a start waits for a place', async () => {
    rush.begin()
    wait('a')
    places.waiting = 1
    rush.release()
    wait('b')
    await clock.advanceBy(1)
    expect(gone.sort()).toEqual(['a', 'b'])
  })

  it('nobody waits long for a start that hangs', async () => {
    rush.begin()
    wait('a')
    await clock.advanceBy(4000)
    wait('b')
    await clock.advanceBy(999)
    expect(gone).toEqual([])
    await clock.advanceBy(1)
    expect(gone).toEqual(['a', 'b'])
    wait('c')
    await clock.advanceBy(4999)
    expect(gone).toEqual(['a', 'b'])
    await clock.advanceBy(1)
    expect(gone).toEqual(['a', 'b', 'c'])
  })
})

describe('an execution that ends in a rush', () => {
  const at = '2026-03-01T10:00:00Z'
  const often = sampleJob('* * * * *', { name: 'often' })
  const slow = sampleJob('0 10 * * *', { name: 'slow' })
  const other = sampleJob('1 10 * * *', { name: 'other' })

  /** A daemon of which one start hangs while another job goes on. */
  async function inRush(maxRunning = 256) {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 58_000 }) })
    const { prepare } = krond.processes
    const hang = Promise.withResolvers<void>()
    krond.processes.prepare = async (start) => {
      if (start.name === 'slow') await hang.promise
      return prepare.call(krond.processes, start)
    }
    const { daemon } = await krond.start([often, slow, other], { maxRunning })
    await krond.clock.advanceBy(59_000)
    return { krond, daemon, hang }
  }

  it('is logged at once and written when the starts are done', async () => {
    const { krond, hang } = await inRush()
    expect(krond.events('completed')).toHaveLength(1)
    expect(krond.stateOf(often)).toMatchObject({ History: [], LastHandledPeriodID: at })
    hang.resolve()
    await krond.clock.advanceBy(0)
    expect(krond.stateOf(often)).toMatchObject({ History: [{ PeriodID: at, ExitCode: 0 }] })
  })

  it('is not in the way of its next period, whose write has its end too', async () => {
    const { krond, hang } = await inRush()
    await krond.clock.advanceBy(1000)
    expect(krond.events('skipped_concurrency')).toEqual([])
    expect(krond.stateOf(often)).toMatchObject({
      LastHandledPeriodID: '2026-03-01T10:01:00Z',
      ActiveExecution: { PeriodID: '2026-03-01T10:01:00Z' },
      OtherActive: [],
      History: [{ PeriodID: at, ExitCode: 0 }],
    })
    hang.resolve()
    await krond.clock.advanceBy(10_000)
    expect(krond.stateOf(often)).toMatchObject({
      LastHandledPeriodID: '2026-03-01T10:01:00Z',
      ActiveExecution: { PeriodID: '2026-03-01T10:01:00Z' },
    })
  })

  it('does not keep its slot from a start', async () => {
    const { krond } = await inRush(2)
    await krond.clock.advanceBy(1000)
    const started = krond.events('started').map(({ time, identity }) => `${time} ${identity}`)
    expect(started.slice(1)).toEqual([expect.stringMatching(/^2026-03-01T10:01:00.000Z/)])
  })

  it('is known to a job that goes and comes back', async () => {
    const { krond, daemon, hang } = await inRush()
    await daemon.reload([slow])
    await daemon.reload([often, slow])
    hang.resolve()
    await krond.clock.advanceBy(0)
    expect(krond.events('recovered')).toEqual([])
    expect(krond.stateOf(often)).toMatchObject({
      ActiveExecution: null,
      History: [{ ExitCode: 0 }],
    })
  })

  it('is on disk before the daemon is done', async () => {
    const { krond, daemon, hang } = await inRush()
    const stopped = daemon.stop({ kill: false })
    hang.resolve()
    await krond.clock.advanceBy(120_000)
    await stopped
    expect(krond.stateOf(often)).toMatchObject({
      ActiveExecution: null,
      History: [{ ExitCode: 0 }],
    })
  })
})
