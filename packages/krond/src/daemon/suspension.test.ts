import { formatSchedule } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const job = (suspend: boolean, deadline = '4m') =>
  sampleJob(`*/5 * * * * @policy(deadline=${deadline},suspend=${suspend})`)

describe('a suspended job', () => {
  it('is neither planned nor triggered, and nothing of it is handled', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([job(true)])
    await krond.clock.advanceBy(60 * minute)
    const { spec } = job(true).job
    const schedule = formatSchedule(spec)
    const told = { event: 'unplanned', reason: 'suspended', schedule, dialect: 'standard' }
    expect(krond.lines).toMatchObject([told])
    expect(krond.stateOf(job(true))).toMatchObject({ LastHandledPeriodID: '' })
    expect(daemon.job('job')).toMatchObject({ phase: 'suspended', planned: null, last: null })
  })

  it('is said to be once, and by each reload that changes it', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([job(true)])
    krond.clock.step(-10_000)
    await krond.clock.advanceBy(minute)
    expect(krond.events('clock_jump', 'unplanned')).toHaveLength(2)
    await daemon.reload([job(true, '1m')])
    expect(krond.events('unplanned').map(({ reason }) => reason)).toEqual([
      'suspended',
      'suspended',
    ])
  })

  it('has its current period evaluated when it is resumed, and none before', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([job(true)])
    await krond.clock.advanceBy(33 * minute)
    await daemon.reload([job(false)])
    await krond.clock.advanceBy(minute)
    expect(krond.executed).toEqual(['job 2026-03-01T10:30:00Z'])
    expect(krond.events('trigger')).toHaveLength(1)
  })

  it('has its current period missed when that is too late', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([job(true, '1m')])
    await krond.clock.advanceBy(33 * minute)
    await daemon.reload([job(false, '1m')])
    await krond.clock.advanceBy(3 * minute)
    expect(krond.happened()).toEqual(['reload', 'missed_deadline', 'started', 'completed'])
    expect(krond.executed).toEqual(['job 2026-03-01T10:35:00Z'])
  })

  it('keeps what was handled before, also over a restart', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([job(false)])
    await krond.clock.advanceBy(2 * minute)
    await daemon.reload([job(true)])
    await krond.clock.advanceBy(30 * minute)
    krond.kill()
    const { daemon: next } = await krond.start([job(true)])
    await krond.clock.advanceBy(minute)
    expect(krond.stateOf(job(true))).toMatchObject({ LastHandledPeriodID: at })
    await next.reload([job(false)])
    await krond.clock.advanceBy(minute)
    expect(krond.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:30:00Z'])
  })

  it('that runs goes on, and its end is recorded', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 7 * minute }) })
    const { daemon } = await krond.start([job(false)])
    await daemon.reload([job(true)])
    await krond.clock.advanceBy(30 * minute)
    expect(krond.happened()).toEqual(['started', 'reload', 'completed'])
    expect(krond.stateOf(job(true))).toMatchObject({ ActiveExecution: null })
  })

  it('is not tried again when a start has failed', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ prepare: 'transient' }) })
    const { daemon } = await krond.start([job(false)])
    await daemon.reload([job(true)])
    const before = krond.lines.length
    await krond.clock.advanceBy(30 * minute)
    expect(krond.lines.slice(before)).toEqual([])
  })
})
