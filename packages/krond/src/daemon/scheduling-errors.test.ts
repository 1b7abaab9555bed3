import { ConstraintError, SchedulingError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { alteredEngine, sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import type { HostJob } from './job-record.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const sound = sampleJob('*/5 * * * * @win(after,30s) @policy(deadline=1m)')
const decided = sound.job.decide(Date.parse(at))

const categories = { SchedulingError, ConstraintError }

/** The job with an engine that throws the first times it is asked for a decision. */
function failing(hostJob: HostJob, times: number, category: keyof typeof categories): HostJob {
  let asked = 0
  const decide = (nominal: number) => {
    if (++asked > times) return hostJob.job.decide(nominal)
    throw new categories[category]('KRON_INVARIANT', 'the engine failed', { field: 'decision' })
  }
  return alteredEngine(hostJob, { decide })
}

describe.each(Object.keys(categories) as (keyof typeof categories)[])(
  'a %s of the engine',
  (category) => {
    it('is logged, executes nothing and leaves the period unhandled', async () => {
      const krond = new VirtualKrond({ at })
      const other = sampleJob('* * * * *', { name: 'other' })
      const { daemon } = await krond.start([failing(sound, 1e9, category), other])
      await krond.clock.advanceBy(3 * minute)
      expect(krond.events('error')[0]).toMatchObject({
        level: 'error',
        component: 'krond',
        identity: sound.identity,
        period_id: at,
        error_type: category,
        operation: 'decide',
        message: 'the engine failed',
      })
      expect(krond.executed.filter((text) => text.startsWith('job '))).toEqual([])
      expect(krond.stateOf(sound)).toMatchObject({ LastHandledPeriodID: '', History: [] })
      expect(krond.executed.length).toBeGreaterThan(2)
      expect(daemon.ready).toBe(true)
    })

    it('is followed by the decision that would have been made without it', async () => {
      const krond = new VirtualKrond({ at })
      await krond.start([failing(sound, 3, category)])
      await krond.clock.advanceBy(minute)
      const errors = krond.events('error').map(({ time }) => Date.parse(time) - Date.parse(at))
      expect(errors).toEqual([0, 1000, 3000])
      expect(krond.events('decision')[0]).toMatchObject({
        time: '2026-03-01T10:00:07.000Z',
        period_id: at,
        chosen_time: new Date(decided.chosenTime!).toISOString().replace('.000', ''),
        seed_hash: decided.seedHash,
      })
      expect(krond.executed).toEqual([`job ${at}`])
    })

    it('that lasts beyond the deadline has the period missed, once', async () => {
      const krond = new VirtualKrond({ at })
      await krond.start([failing(sound, 7, category)])
      await krond.clock.advanceBy(4 * minute)
      expect(krond.executed).toEqual([])
      expect(krond.events('missed_deadline')).toMatchObject([{ period_id: at }])
      expect(krond.stateOf(sound)).toMatchObject({ LastHandledPeriodID: at, LastOutcome: 'missed' })
    })
  },
)
