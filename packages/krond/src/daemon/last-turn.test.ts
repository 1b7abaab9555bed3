import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { slowDisk } from '../../testing/disk/passing-disk.js'

const quiet = '2026-03-01T10:00:30Z'
const minute = 60_000
const named = (name: string) => sampleJob('* * * * *', { name })

describe('a daemon that has ended', () => {
  it('leaves nobody asleep who would keep its process alive', async () => {
    const krond = new VirtualKrond({ at: quiet })
    const { daemon, ended } = await krond.start([named('a')])
    await daemon.leave()
    expect(await ended).toBeNull()
    await krond.clock.advanceBy(0)
    expect(krond.clock.pending).toBe(0)
  })

  it('writes nothing any more of jobs that it saw for the first time', async () => {
    const krond = new VirtualKrond({ at: quiet })
    const slow = slowDisk(krond.disk)
    slow.slowDown()
    const jobs = Array.from({ length: 100 }, (_, number) => named(`job-${number}`))
    const { daemon, ended } = krond.begin(jobs, {}, slow.disk)
    await krond.clock.advanceBy(0)
    daemon.stopNow()
    expect(await ended).toBeNull()
    slow.goOn()
    await krond.clock.advanceBy(minute)
    // Only what was under way: the folder may be another daemon's by now.
    expect(krond.effects.filter((effect) => effect === 'create')).toHaveLength(32)
  })

  it('writes nothing of a reload that comes afterwards', async () => {
    const krond = new VirtualKrond({ at: quiet })
    const { daemon } = await krond.start([])
    daemon.stopNow()
    await daemon.reload([named('new')])
    await krond.clock.advanceBy(minute)
    expect(krond.effects).not.toContain('create')
    expect(krond.stateOf(named('new'))).toBeNull()
  })

  it('plans nothing when it was told to stop before it had taken up its jobs', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:00Z' })
    await krond.start([named('a')])
    krond.kill()
    await krond.clock.advanceBy(2 * minute)
    const slow = slowDisk(krond.disk)
    slow.slowDown()
    const { daemon, ended } = krond.begin([named('a')], {}, slow.disk)
    await krond.clock.advanceBy(0)
    const stopped = daemon.stop({ kill: false })
    slow.goOn()
    await stopped
    await krond.clock.advanceBy(5 * minute)
    expect([daemon.ready, await ended]).toEqual([false, null])
    expect(krond.executed).toEqual(['a 2026-03-01T10:00:00Z'])
  })
})

describe('a clock that is set forward', () => {
  it('is reported by a daemon that stops before it would have noticed', async () => {
    const krond = new VirtualKrond({ at: quiet })
    const { daemon } = await krond.start([named('a')])
    krond.clock.step(10 * minute)
    await daemon.stop({ kill: false })
    expect(krond.lines.slice(-2)).toMatchObject([
      { event: 'clock_jump', to: '2026-03-01T10:10:30Z' },
      { event: 'stop' },
    ])
  })

  it('leaves what was planned to its verdict, and plans nothing instead', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:01:00Z', world: () => ({ durationMs: 1 }) })
    await krond.start([sampleJob('*/5 * * * * @policy(deadline=1h)')])
    await krond.clock.advanceBy(1000)
    krond.clock.step(12 * minute)
    const before = krond.lines.length
    await krond.clock.advanceBy(minute)
    const events = krond.lines.slice(before).map(({ event, period_id }) => [event, period_id])
    const [five, ten] = ['2026-03-01T10:05:00Z', '2026-03-01T10:10:00Z']
    expect(events.slice(0, 3)).toEqual([
      ['clock_jump', undefined],
      ['trigger', five],
      ['skipped_superseded', five],
    ])
    expect(krond.executed.at(-1)).toBe(`job ${ten}`)
    expect(krond.events('reschedule')).toEqual([])
  })
})
