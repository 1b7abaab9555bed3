import { PersistenceError, SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import type { Fault } from '../../testing/disk/faulty-disk.js'
import { slowDisk } from '../../testing/disk/passing-disk.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const named = (name: string) => sampleJob('* * * * * @policy(deadline=1h)', { name })
const long = sampleJob('0 10 * * *', { name: 'long' })
const failure = new SystemError('KRON_SYSTEM', 'the machine does not answer', { field: 'process' })
const refused: Fault = { kind: 'refused', code: 'ENOSPC' }

/** A host on which a job runs that a former daemon started. */
async function leftRunning(): Promise<VirtualKrond> {
  const krond = new VirtualKrond({ at, world: () => ({}) })
  const { daemon } = await krond.start([long])
  await daemon.leave()
  krond.kill()
  return krond
}

/** From now on nobody can tell whether a process lives. */
function blind(krond: VirtualKrond): void {
  krond.processes.isAlive = () => {
    throw failure
  }
}

/** What a daemon that has ended by itself still does is nothing. */
async function expectStandstill(krond: VirtualKrond): Promise<void> {
  const before = [krond.lines.length, krond.effects.length]
  await krond.clock.advanceBy(0)
  expect(krond.clock.pending).toBe(0)
  await krond.clock.advanceBy(5 * minute)
  expect([krond.lines.length, krond.effects.length]).toEqual(before)
}

describe('a daemon ends by itself', () => {
  it('when its clock can not wait, which concerns no job', async () => {
    const krond = new VirtualKrond({ at, world: () => ({}) })
    const { ended } = await krond.start([named('job')])
    const broken = new Error('no time')
    krond.clock.sleep = () => Promise.reject(broken)
    await krond.clock.advanceBy(minute)
    expect(await ended).toBe(broken)
    expect(krond.events('error')).toMatchObject([
      { identity: null, operation: 'loop', message: 'no time' },
    ])
    await expectStandstill(krond)
  })

  it('when it can not tell any more whether an execution still runs', async () => {
    const krond = await leftRunning()
    const { ended } = await krond.start([long, named('job')])
    blind(krond)
    await krond.clock.advanceBy(1000)
    const concern = { identity: long.identity, period_id: at }
    expect(await ended).toMatchObject({ category: 'SystemError', details: concern })
    expect(krond.events('error')).toMatchObject([{ ...concern, operation: 'handle_period' }])
    await expectStandstill(krond)
  })

  it('when nobody knows whether a start has become the job', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T09:59:30Z' })
    const { processes } = krond
    const { prepare } = processes
    processes.prepare = async (start) => {
      const gate = await prepare.call(processes, start)
      return { ...gate, release: () => Promise.reject(failure) }
    }
    const { ended } = await krond.start([sampleJob('0 10 * * *')])
    await krond.clock.advanceBy(30_000)
    const concern = { identity: '/jobs.krontab:job', period_id: at }
    expect(await ended).toMatchObject({ category: 'SystemError', details: concern })
    expect(krond.events('error')).toMatchObject([{ ...concern, operation: 'handle_period' }])
    await expectStandstill(krond)
  })

  it('when it can not write that it saw a job for the first time', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:30Z' })
    const fault = { of: 'write', fault: refused, call: 1 } as const
    const { ended } = await krond.start([named('job')], { firstSight: true, fault })
    expect(await ended).toBeInstanceOf(PersistenceError)
    expect(krond.events('error')).toMatchObject([
      { identity: '/jobs.krontab:job', operation: 'write_state' },
    ])
    await expectStandstill(krond)
  })

  it('and writes nothing any more of jobs that it saw for the first time', async () => {
    const krond = await leftRunning()
    const slow = slowDisk(krond.disk)
    slow.slowDown()
    const jobs = Array.from({ length: 100 }, (_, number) =>
      sampleJob('0 12 * * *', { name: `job-${number}` }),
    )
    const before = krond.effects.length
    const { ended } = krond.begin([long, ...jobs], {}, slow.disk)
    await krond.clock.advanceBy(0)
    blind(krond)
    await krond.clock.advanceBy(1000)
    expect(await ended).toMatchObject({ message: failure.message })
    slow.goOn()
    await krond.clock.advanceBy(minute)
    const created = krond.effects.slice(before).filter((effect) => effect === 'create')
    expect(created).toHaveLength(32)
  })
})
