import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { slowDisk } from '../../testing/disk/passing-disk.js'

const at = '2026-03-01T10:00:00Z'
const job = sampleJob('* * * * * @policy(concurrency=allow)')

/** A daemon of which an execution runs that never ends by itself. */
async function withExecution() {
  const krond = new VirtualKrond({ at, world: () => ({}) })
  const life = await krond.start([job])
  return { krond, ...life }
}

describe('a daemon that stops already', () => {
  it('is not told to stop again, and ends nothing that it waits for', async () => {
    const { krond, daemon } = await withExecution()
    void daemon.stop({ kill: false })
    await daemon.stop({ kill: true })
    expect(krond.events('stop')).toHaveLength(1)
    expect([daemon.runningCount, krond.processes.running]).toEqual([1, 1])
  })

  it('has no timer of its own while it waits for what runs', async () => {
    const { krond, daemon } = await withExecution()
    void daemon.stop({ kill: false })
    await krond.clock.advanceBy(0)
    expect([daemon.runningCount, krond.clock.pending]).toEqual([1, 0])
  })

  it('leaves at once when it is told to, whatever is on its way', async () => {
    const krond = new VirtualKrond({ at })
    const slow = slowDisk(krond.disk)
    krond.know([job])
    slow.slowDown()
    const { daemon, ended } = krond.begin([job], {}, slow.disk)
    await krond.clock.advanceBy(0)
    void daemon.stop({ kill: false })
    await daemon.leave()
    expect(await ended).toBeNull()
    expect(krond.effects).not.toContain('release')
  })
})

describe('a daemon that has ended', () => {
  it.each(['leave', 'stopNow'] as const)('says once what it left: %s', async (how) => {
    const { krond, daemon, ended } = await withExecution()
    await daemon[how]()
    expect(await ended).toBeNull()
    await daemon.leave()
    daemon.stopNow()
    await daemon.stop({ kill: false })
    expect(krond.events('left')).toMatchObject([{ running: 1 }])
    expect(krond.events('stop')).toHaveLength(how === 'leave' ? 1 : 0)
  })

  it('leaves nobody asleep, also when it ended at once or killed what ran', async () => {
    for (const end of ['stopNow', 'stop'] as const) {
      const { krond, daemon, ended } = await withExecution()
      await daemon[end]({ kill: true })
      expect(await ended).toBeNull()
      await krond.clock.advanceBy(0)
      expect(krond.clock.pending).toBe(0)
    }
  })
})
