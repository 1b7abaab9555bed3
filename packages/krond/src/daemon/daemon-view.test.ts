import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'

const at = '2026-03-01T10:00:30Z'

describe('a job that is asked for', () => {
  const job = sampleJob('0 12 * * *')
  const namesake = { ...job, identity: '/other.krontab:job' }

  it('is found by its identity, and by a name that no other has', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([job, namesake])
    expect(daemon.job(job.identity)!.hostJob).toBe(job)
    expect(daemon.job(namesake.identity)!.hostJob).toBe(namesake)
    expect([daemon.job('job'), daemon.job('no')]).toEqual([undefined, undefined])
    await daemon.reload([namesake])
    expect(daemon.job('job')!.hostJob).toBe(namesake)
  })
})

describe('a daemon', () => {
  it('is quiet for as long as nothing is due, to the millisecond', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([sampleJob('* * * * *')], { firstSight: true })
    expect([daemon.isQuietFor(29_999), daemon.isQuietFor(30_000)]).toEqual([true, false])
  })
})
