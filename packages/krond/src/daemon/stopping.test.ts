import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { fieldsOf, VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { slowDisk } from '../../testing/disk/passing-disk.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const job = sampleJob('* * * * * @policy(concurrency=allow)')

describe('a daemon that is told to stop', () => {
  it('triggers nothing any more, waits for what runs, and has its end on disk', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 90_000 }) })
    const { daemon, ended } = await krond.start([job])
    await krond.clock.advanceBy(minute)
    let isOver = false
    void ended.then(() => {
      isOver = true
    })
    const stopped = daemon.stop({ kill: false })
    expect(fieldsOf(krond.events('stop')[0])).toEqual({
      level: 'info',
      event: 'stop',
      running: 2,
      jobs: 1,
    })
    expect(daemon.ready).toBe(false)
    await krond.clock.advanceBy(29_999)
    expect([daemon.runningCount, isOver]).toEqual([2, false])
    await krond.clock.advanceBy(60_000)
    expect([daemon.runningCount, isOver]).toEqual([1, false])
    await krond.clock.advanceBy(5 * minute)
    await stopped
    expect(await ended).toBeNull()
    expect(krond.executed).toHaveLength(2)
    expect(krond.effects.filter((effect) => /^SIG/.test(effect))).toEqual([])
    expect(krond.stateOf(job)).toMatchObject({
      LastHandledPeriodID: '2026-03-01T10:01:00Z',
      ActiveExecution: null,
      OtherActive: [],
      History: [{ ExitCode: 0 }, { ExitCode: 0 }],
    })
  })

  it('counts as running what has no end in the log, and waits for all ends on disk', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 1000 }) })
    const slow = slowDisk(krond.disk)
    krond.know([job])
    const { daemon, ended } = krond.begin([job], {}, slow.disk)
    await krond.clock.advanceBy(0)
    slow.slowDown()
    await krond.clock.advanceBy(2000)
    expect([krond.events('completed').length, daemon.runningCount]).toEqual([1, 1])
    let isOver = false
    const stopped = daemon.stop({ kill: false }).then(() => {
      isOver = true
    })
    await krond.clock.advanceBy(1000)
    expect(krond.events('stop')).toMatchObject([{ running: 0, jobs: 1 }])
    expect(isOver).toBe(false)
    slow.goOn()
    await krond.clock.advanceBy(0)
    await stopped
    expect(await ended).toBeNull()
  })

  it.each([
    ['a start', at, false],
    ['a period that is settled', '2026-03-01T10:00:30Z', false],
    ['the first sight of a job', '2026-03-01T10:00:30Z', true],
  ])('waits until %s is on disk', async (_, now, isFirstSight) => {
    const krond = new VirtualKrond({ at: now, world: () => ({ durationMs: 0 }) })
    const slow = slowDisk(krond.disk)
    if (!isFirstSight) krond.know([job])
    slow.slowDown()
    const { daemon, ended } = krond.begin([job], {}, slow.disk)
    await krond.clock.advanceBy(0)
    let isOver = false
    void daemon.stop({ kill: false }).then(() => {
      isOver = true
    })
    await krond.clock.advanceBy(10_000)
    expect(isOver).toBe(false)
    slow.goOn()
    await krond.clock.advanceBy(10_000)
    expect([isOver, await ended]).toEqual([true, null])
    expect(krond.stateOf(job)).toMatchObject({ Timing: expect.any(String), ActiveExecution: null })
  })

  it('ends at once when nothing runs', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:30Z' })
    const { daemon, ended } = await krond.start([job])
    await daemon.stop({ kill: false })
    expect(await ended).toBeNull()
  })

  it('ends what runs with kill: SIGTERM, the grace, SIGKILL', async () => {
    const world = ({ nominal }: { nominal: number | null }) =>
      nominal === Date.parse(at) ? { ignoresTerm: true } : {}
    const krond = new VirtualKrond({ at, world })
    const { daemon, ended } = await krond.start([job])
    await krond.clock.advanceBy(minute)
    void daemon.stop({ kill: true })
    await krond.clock.advanceBy(minute)
    expect(await ended).toBeNull()
    expect(krond.events('completed')).toMatchObject([
      { period_id: '2026-03-01T10:01:00Z', signal: 'SIGTERM', time: '2026-03-01T10:01:00.000Z' },
      { period_id: at, signal: 'SIGKILL', time: '2026-03-01T10:01:10.000Z' },
    ])
    expect(krond.stateOf(job)).toMatchObject({ ActiveExecution: null, OtherActive: [] })
    expect(krond.processes.running).toBe(0)
  })

  it('waits until the ends of what it killed are on disk', async () => {
    const krond = new VirtualKrond({ at, world: () => ({}) })
    const slow = slowDisk(krond.disk)
    const { daemon } = krond.begin([job], {}, slow.disk)
    await krond.clock.advanceBy(0)
    slow.slowDown()
    let isOver = false
    const stopped = daemon.stop({ kill: true }).then(() => {
      isOver = true
    })
    await krond.clock.advanceBy(minute)
    expect([krond.events('completed').length, isOver]).toEqual([1, false])
    slow.goOn()
    await stopped
    expect(krond.stateOf(job)).toMatchObject({ ActiveExecution: null })
  })

  it('does not wait for ever for what can not be killed, and leaves it on disk', async () => {
    const undying = { ignoresTerm: true, killMs: Number.POSITIVE_INFINITY }
    const krond = new VirtualKrond({ at, world: () => undying })
    const { daemon, ended } = await krond.start([job])
    void daemon.stop({ kill: true })
    await krond.clock.advanceBy(minute)
    expect(await ended).toBeNull()
    expect(krond.stateOf(job)).toMatchObject({ ActiveExecution: { PeriodID: at, PID: 2 } })
  })

  it('for the second time ends at once and leaves what runs to the next', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 3 * minute }) })
    const { daemon, ended } = await krond.start([job])
    void daemon.stop({ kill: false })
    await krond.clock.advanceBy(1000)
    daemon.stopNow()
    expect(await ended).toBeNull()
    expect(krond.stateOf(job)).toMatchObject({ ActiveExecution: { PeriodID: at } })
    krond.kill()
    await krond.start([job])
    await krond.clock.advanceBy(4 * minute)
    expect(krond.events('recovered')).toMatchObject([{ period_id: at, alive: true }])
    const completed = krond.events('completed').filter(({ period_id }) => period_id === at)
    expect(completed).toMatchObject([{ exit_code: null }])
    expect(new Set(krond.executed).size).toBe(krond.executed.length)
  })

  it('finishes a period that is being settled', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:30Z' })
    krond.know([job])
    const { daemon, ended } = krond.begin([job])
    await Promise.resolve()
    void daemon.stop({ kill: false })
    await krond.clock.advanceBy(minute)
    expect(await ended).toBeNull()
    const state = krond.stateOf(job)
    const settled = krond.events('missed_deadline').length
    expect(settled).toBe(state!['LastHandledPeriodID'] === '' ? 0 : 1)
  })

  it('plans nothing any more for a job that was being settled or started', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:30Z' })
    const slow = slowDisk(krond.disk)
    krond.know([job])
    const { daemon, ended } = krond.begin([job], {}, slow.disk)
    slow.slowDown()
    await krond.clock.advanceBy(0)
    void daemon.stop({ kill: false })
    slow.goOn()
    await krond.clock.advanceBy(minute)
    expect(await ended).toBeNull()
    const events = krond.lines.map(({ event }) => event)
    expect(events).toEqual(['decision', 'trigger', 'stop', 'missed_deadline'])
    expect(krond.stateOf(job)).toMatchObject({ LastHandledPeriodID: at, LastOutcome: 'missed' })
  })

  it('takes up nothing from a reload that comes afterwards', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 3 * minute }) })
    const { daemon, ended } = await krond.start([job])
    void daemon.stop({ kill: false })
    await daemon.reload([job, sampleJob('* * * * *', { name: 'new' })])
    await krond.clock.advanceBy(5 * minute)
    expect(await ended).toBeNull()
    expect(krond.executed).toEqual([`job ${at}`])
  })
})

describe('a daemon that is told to leave', () => {
  it('ends at once, and the next one takes up what runs', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 90_000 }) })
    const { daemon, ended } = await krond.start([job])
    await daemon.leave()
    expect(await ended).toBeNull()
    krond.kill()
    expect(krond.events('stop', 'left').map(fieldsOf)).toEqual([
      { level: 'info', event: 'stop', running: 1, jobs: 1 },
      { level: 'info', event: 'left', running: 1 },
    ])
    expect(krond.stateOf(job)).toMatchObject({ ActiveExecution: { PID: expect.any(Number) } })
    await krond.clock.advanceBy(minute)
    await krond.start([job])
    expect(krond.events('recovered')).toMatchObject([{ alive: true, period_id: at }])
    await krond.clock.advanceBy(minute)
    const completed = krond.events('completed').filter(({ period_id }) => period_id === at)
    expect(completed).toMatchObject([{ exit_code: null }])
    expect(krond.processes.executed.map(({ nominal }) => nominal)).toEqual(
      [0, 1, 2].map((n) => Date.parse(at) + n * minute),
    )
  })

  it('lets a start that is on its way come to its end first, but waits five seconds at most', async () => {
    for (const isQuick of [true, false]) {
      const krond = new VirtualKrond({ at: '2026-03-01T09:59:30Z' })
      const slow = slowDisk(krond.disk)
      krond.know([job])
      const { daemon, ended } = krond.begin([job], {}, slow.disk)
      await krond.clock.advanceBy(0)
      slow.slowDown()
      await krond.clock.advanceBy(30_500)
      const left = daemon.leave()
      if (isQuick) slow.goOn()
      await krond.clock.advanceBy(5000)
      await left
      expect(await ended).toBeNull()
      expect(krond.executed).toHaveLength(isQuick ? 1 : 0)
      expect(krond.events('left')).toHaveLength(isQuick ? 1 : 0)
    }
  })

  it('waits no longer for jobs that it waited for before', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 90_000 }) })
    const { daemon, ended } = await krond.start([job])
    void daemon.stop({ kill: false })
    await krond.clock.advanceBy(1000)
    await daemon.leave()
    expect(await ended).toBeNull()
    expect(krond.events('left')).toMatchObject([{ running: 1 }])
  })
})
