import { type Job, SchedulingError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { nobody } from './ports.js'

const at = '2026-03-01T10:00:00Z'
const sound = sampleJob('*/5 * * * * @policy(deadline=1m)')

/** The job with an engine of which a method works so many times, and then fails so many. */
function failing(method: keyof Job, works: number, times: number) {
  let asked = 0
  let left = times
  const fail = (): never => {
    left--
    throw new SchedulingError('KRON_INVARIANT', 'no', { field: 'decision' })
  }
  const job = new Proxy(sound.job, {
    get(target, name) {
      const isFailing = name === method && asked++ >= works && left > 0
      const member: unknown = isFailing ? fail : Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { ...sound, job }
}

describe('an engine that fails', () => {
  it.each([
    ['decide', 'decide', 0],
    // Of a planned period it is asked when it is due by.
    ['supersededAt', 'evaluate', 1],
  ] as const)('at %s is asked again later and later', async (method, of, works) => {
    const failed: string[] = []
    const observer = { ...nobody, failed: (operation: string) => failed.push(operation) }
    const krond = new VirtualKrond({ at, observer })
    await krond.start([failing(method, works, 3)])
    await krond.clock.advanceBy(30_000)
    const concern = { identity: sound.identity, period_id: at, operation: of, level: 'error' }
    expect(krond.events('error')).toMatchObject([
      { ...concern, time: '2026-03-01T10:00:00.000Z' },
      { ...concern, time: '2026-03-01T10:00:01.000Z' },
      { ...concern, time: '2026-03-01T10:00:03.000Z' },
    ])
    expect(failed).toEqual([of, of, of])
    expect(krond.events('started')).toMatchObject([
      { period_id: at, time: '2026-03-01T10:00:07.000Z' },
    ])
  })
})
