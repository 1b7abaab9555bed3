import { SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { type CallKind, type Fault, FaultyDisk } from '../../testing/disk/faulty-disk.js'
import { concerning } from './concerning.js'

const at = '2026-03-01T10:00:00Z'
const refused: Fault = { kind: 'refused', code: 'ENOSPC' }
const schedule = '*/5 * * * * @policy(deadline=1m)'
const job = sampleJob(schedule)
const concern = { identity: job.identity, period_id: at }

/** A daemon whose disk fails at a certain call of a kind. */
async function lived(of: CallKind, call: number) {
  const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10_000 }) })
  const { ended } = await krond.start([job], { fault: { of, fault: refused, call } })
  await krond.clock.advanceBy(60_000)
  return { krond, error: await ended }
}

describe('an error in the log', () => {
  it.each([
    ['start', 1],
    ['end', 2],
  ])('names job and period when its %s could not be written', async (_, call) => {
    const { krond, error } = await lived('write', call)
    expect(krond.events('error')).toMatchObject([{ ...concern, operation: 'write_state' }])
    expect(error).toMatchObject({ code: 'KRON_PERSISTENCE', details: concern })
  })

  it('names each of the jobs that one failure of the disk keeps from being written', async () => {
    const jobs = ['a', 'b'].map((name) => sampleJob(schedule, { name }))
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10_000 }) })
    const faulty = new FaultyDisk(krond.disk, { of: 'syncFolder', fault: refused, call: 1 })
    krond.know(jobs)
    const { ended } = krond.begin(jobs, {}, faulty)
    await krond.clock.advanceBy(0)
    const [{ identity, period_id } = { identity: '', period_id: '' }] = krond.events('error')
    expect(jobs.map((one) => one.identity)).toContain(identity)
    expect(period_id).toBe(at)
    expect(await ended).toMatchObject({ details: { identity, period_id } })
  })

  it('keeps the job and period that it knows already, and all else of the error', () => {
    const cause = new Error('below')
    const first = new SystemError('KRON_SYSTEM', 'no', { field: 'x', value: 5 }, { cause })
    const second = concerning(first, 'a', null)
    const third = concerning(second, 'b', Date.parse(at))
    expect(first.details).toEqual({ field: 'x', value: 5 })
    expect(third).toBeInstanceOf(SystemError)
    expect(third).toMatchObject({
      category: 'SystemError',
      code: 'KRON_SYSTEM',
      message: 'no',
      cause,
      details: { field: 'x', value: 5, identity: 'a', period_id: at },
    })
    expect(Object.keys(third as object)).toEqual(Object.keys(first))
    expect(concerning(cause, 'a', null)).toBe(cause)
  })
})
