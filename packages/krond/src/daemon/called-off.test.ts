import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import type { VirtualWorld } from '../../testing/process/virtual-process.js'
import type { Daemon } from './daemon.js'
import type { HostJob } from './job-record.js'

const at = '2026-03-01T10:00:00Z'
const job = (policy = 'deadline=1h') => sampleJob(`0 * * * * @policy(${policy})`)

/** A host on which the gate of the first start is made when it is told to be. */
async function slowToPrepare(more: readonly HostJob[] = [], world?: VirtualWorld, maxRunning = 1) {
  const krond = new VirtualKrond({ at, ...(world && { world }) })
  const { processes } = krond
  const { prepare } = processes
  const made = Promise.withResolvers<void>()
  processes.prepare = async (start) => {
    await made.promise
    return prepare.call(processes, start)
  }
  const { daemon, ended } = await krond.start([job(), ...more], { maxRunning })
  expect(krond.effects).toContain('prepare')
  const goOn = async (): Promise<void> => {
    made.resolve()
    await krond.clock.advanceBy(0)
  }
  return { krond, daemon, ended, goOn }
}

describe('a period whose gate is being made', () => {
  it.each<[string, (daemon: Daemon) => unknown]>([
    ['removed', (daemon) => daemon.reload([])],
    ['suspended', (daemon) => daemon.reload([job('deadline=1h,suspend=true')])],
    ['left behind by a daemon that stops', (daemon) => daemon.stop({ kill: false })],
    ['left behind by a daemon that ends at once', (daemon) => daemon.stopNow()],
  ])('does not run when its job is %s meanwhile', async (_, callOff) => {
    const { krond, daemon, goOn } = await slowToPrepare()
    void callOff(daemon)
    await goOn()
    await krond.clock.advanceBy(60_000)
    expect(krond.executed).toEqual([])
    expect(krond.effects).toContain('abandon')
    expect(krond.effects).not.toContain('release')
    expect(krond.processes.running).toBe(0)
    // Nothing says that it was handled, so that it can still be when the job is there again.
    expect(krond.stateOf(job())).toMatchObject({ LastHandledPeriodID: '', ActiveExecution: null })
  })

  it.each<[string, (daemon: Daemon) => unknown]>([
    ['its job is removed', (daemon) => daemon.reload([])],
    ['the daemon stops', (daemon) => daemon.stop({ kill: false })],
  ])('is not tried again when %s before it fails', async (_, callOff) => {
    const { krond, daemon, goOn } = await slowToPrepare([], () => ({ prepare: 'transient' }))
    void callOff(daemon)
    await goOn()
    await krond.clock.advanceBy(3_600_000)
    expect(krond.events('error')).toMatchObject([{ operation: 'start_process', period_id: at }])
    expect(krond.events('reschedule')).toEqual([])
    expect(krond.effects.filter((effect) => effect === 'prepare')).toHaveLength(1)
  })

  it('runs as it was when its job is only changed meanwhile', async () => {
    const { krond, daemon, goOn } = await slowToPrepare()
    await daemon.reload([sampleJob('0 * * * * @policy(deadline=1h)', { timeoutMs: 1000 })])
    await goOn()
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.effects).not.toContain('abandon')
    await krond.clock.advanceBy(30_000)
    expect(krond.events('timed_out')).toEqual([])
  })

  it('is started once, and shown as starting, when its job is planned again meanwhile', async () => {
    const { krond, daemon, goOn } = await slowToPrepare([], undefined, 2)
    await daemon.reload([sampleJob('0 * * * * @policy(deadline=1h)', { umask: 0o27 })])
    await krond.clock.advanceBy(0)
    expect(daemon.job('job')!.phase).toBe('starting')
    expect(daemon.isQuietFor(0)).toBe(false)
    await goOn()
    expect(daemon.job('job')!.phase).toBe('waiting')
    expect(krond.events('trigger')).toHaveLength(1)
    expect(krond.effects.filter((effect) => effect === 'prepare')).toHaveLength(1)
    expect(krond.executed).toEqual([`job ${at}`])
  })

  it('keeps its job known until then, when that is removed', async () => {
    const { daemon, goOn } = await slowToPrepare()
    await daemon.reload([])
    expect(daemon.jobCount).toBe(1)
    await goOn()
    expect(daemon.jobCount).toBe(0)
  })

  it('leaves its place to a start that waits for one, when its job is removed', async () => {
    const other = sampleJob('0 * * * * @policy(deadline=1h)', { name: 'other' })
    const { krond, daemon, goOn } = await slowToPrepare([other])
    expect(daemon.job('other')!.phase).toBe('queued')
    await daemon.reload([other])
    await goOn()
    expect(krond.executed).toEqual([`other ${at}`])
  })
})
