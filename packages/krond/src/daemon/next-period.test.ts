import { describe, expect, it } from 'vitest'
import { alteredEngine, sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { nextPeriod, runFrom } from './next-period.js'

const at = Date.parse('2026-03-01T10:00:30Z')
const minute = 60_000
const five = Date.parse('2026-03-01T10:05:00Z')
const every5 = sampleJob('*/5 * * * *')
/** No period comes after the one at five past ten. */
const lastAtFive = alteredEngine(every5, {
  nextPeriod: (after) => (after < five ? every5.job.nextPeriod(after) : null),
  supersededAt: () => null,
})

describe('the next period', () => {
  it('is the one after that which came before the host answered for the job', () => {
    const { decision, passedOver } = nextPeriod(every5.job, at, null, at)
    expect([decision!.nominalTime, passedOver!.nominalTime]).toEqual([five, five - 5 * minute])
  })

  it('is none when no other comes after that', () => {
    const { decision, passedOver } = nextPeriod(lastAtFive.job, five + 1000, null, five + 1000)
    expect([decision, passedOver!.nominalTime]).toEqual([null, five])
  })
})

describe('a job of which no period comes any more', () => {
  it('is finished, which is said once and after each reload', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:04:30Z', world: () => ({ durationMs: 1 }) })
    const { daemon } = await krond.start([lastAtFive], { firstSight: true })
    expect(daemon.job('job')!.phase).toBe('waiting')
    await krond.clock.advanceBy(minute)
    expect(krond.executed).toEqual(['job 2026-03-01T10:05:00Z'])
    const finished = { event: 'unplanned', reason: 'finished', identity: every5.identity }
    expect(krond.events('unplanned')).toMatchObject([finished])
    expect(daemon.job('job')).toMatchObject({ phase: 'finished', planned: null })
    krond.clock.step(-10_000)
    await krond.clock.advanceBy(minute)
    expect(krond.events('clock_jump', 'unplanned')).toHaveLength(2)
    await daemon.reload([{ ...lastAtFive, settings: { ...lastAtFive.settings, umask: 0o27 } }])
    expect(krond.events('unplanned')).toMatchObject([finished, finished])
    expect(krond.events('error')).toEqual([])
  })
})

describe('the next run', () => {
  const limited = sampleJob('0 * * * * @win(after,30m) @avoid(hours=10-12)').job
  const never = sampleJob('0 * * * * @only(date=2001-01-01)').job
  const ten = Date.parse('2026-03-01T10:00:00Z')

  it('is that of the period, if it has a time', () => {
    const decision = limited.decide(ten - 60 * minute)
    const { nominalTime, chosenTime } = decision
    expect(runFrom(limited, decision)).toEqual({ nominalTime, chosenTime })
  })

  it('is that of the first one after it that has a time, if it has none', () => {
    const nominalTime = ten + 3 * 60 * minute
    const { chosenTime } = limited.decide(nominalTime)
    expect(chosenTime).not.toBeNull()
    expect(runFrom(limited, limited.decide(ten))).toEqual({ nominalTime, chosenTime })
  })

  it('is none if no period has a time', () => {
    expect(runFrom(never, never.decide(ten))).toBeNull()
  })
})
