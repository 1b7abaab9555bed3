import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { statePath, VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { slowDisk } from '../../testing/disk/passing-disk.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const named = (name: string) => sampleJob('*/5 * * * * @policy(concurrency=allow)', { name })

/** A host on which the daemon of these jobs was killed; all they had started is over. */
async function afterDeath(jobs: ReturnType<typeof named>[]) {
  const krond = new VirtualKrond({ at, world: () => ({ durationMs: minute }) })
  await krond.start(jobs)
  krond.kill()
  await krond.clock.advanceBy(2 * minute)
  return krond
}

describe('a reload that comes while', () => {
  it('the daemon still recovers does not make two of a job', async () => {
    const krond = await afterDeath([named('a')])
    const { daemon } = krond.begin([named('a')])
    const reloaded = daemon.reload([named('a')])
    await krond.clock.advanceBy(0)
    expect(await reloaded).toEqual({ jobs: 1, added: 0, changed: 0, removed: 0 })
    await krond.clock.advanceBy(3 * minute)
    expect(krond.executed).toEqual([`a ${at}`, 'a 2026-03-01T10:05:00Z'])
    expect(krond.events('recovered')).toHaveLength(1)
  })

  it('a job that comes back has its last execution end does not lose the job', async () => {
    const krond = await afterDeath([named('dead')])
    const slow = slowDisk(krond.disk)
    const { daemon } = krond.begin([named('back')], {}, slow.disk)
    await krond.clock.advanceBy(3 * minute)
    await daemon.reload([])
    // All that the reload has to write: else the end of the execution would come behind it.
    await krond.clock.advanceBy(0)
    // The end of its execution is written first, and the recovery of the other behind it.
    slow.slowDown()
    await krond.clock.advanceBy(minute)
    expect(daemon.jobCount).toBe(1)
    const reloaded = daemon.reload([named('dead'), named('back')])
    await krond.clock.advanceBy(0)
    slow.goOn()
    await reloaded
    expect([...daemon.jobs()].map(({ hostJob }) => hostJob.name).sort()).toEqual(['back', 'dead'])
    await daemon.reload([named('back')])
    await krond.clock.advanceBy(4 * minute)
    expect(krond.executed.filter((text) => text.startsWith('back'))).toEqual([
      'back 2026-03-01T10:05:00Z',
      'back 2026-03-01T10:10:00Z',
    ])
  })

  it('another one failed half-way does not follow an execution twice', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 7 * minute }) })
    await krond.start([named('long')])
    krond.kill()
    const bad = named('bad')
    const fields = { Version: '99', Identity: bad.identity, LastHandledPeriodID: '' }
    krond.disk.plant(statePath(bad), { bytes: Buffer.from(JSON.stringify(fields)) })
    const { daemon } = await krond.start([])
    await expect(daemon.reload([named('long'), bad])).rejects.toThrow(/Version/)
    await daemon.reload([named('long')])
    expect([daemon.runningCount, krond.events('recovered').length]).toEqual([1, 1])
    await krond.clock.advanceBy(8 * minute)
    expect(krond.events('completed')).toHaveLength(1)
    expect(krond.stateOf(named('long'))).toMatchObject({
      LastHandledPeriodID: '2026-03-01T10:05:00Z',
    })
  })
})
