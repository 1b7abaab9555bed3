import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { fieldsOf, VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { slowDisk } from '../../testing/disk/passing-disk.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const named = (name: string, policy = 'deadline=1h') =>
  sampleJob(`0 10 * * * @policy(${policy})`, { name })
const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => named(name))
const names = (krond: VirtualKrond) => krond.executed.map((text) => text.split(' ')[0]).join('')
const unhandled = { LastHandledPeriodID: '' }
const clockOf = (time: unknown) => String(time).slice(11, 19)

describe('more starts than may run at once', () => {
  it('wait in order, and are judged again when their turn comes', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon } = await krond.start(jobs, { maxRunning: 2 })
    expect([names(krond), daemon.runningCount, daemon.waitingCount]).toEqual(['ab', 2, 3])
    await krond.clock.advanceBy(10 * minute)
    expect([names(krond), daemon.runningCount, daemon.waitingCount]).toEqual(['abcd', 2, 1])
    await krond.clock.advanceBy(10 * minute)
    expect([names(krond), daemon.waitingCount]).toEqual(['abcde', 0])
    expect(krond.events('trigger').map(({ verdict, late_ms }) => [verdict, late_ms])).toEqual([
      ['execute', 0],
      ['execute', 0],
      ['execute', 10 * minute],
      ['execute', 10 * minute],
      ['execute', 20 * minute],
    ])
  })

  it('do not start beyond their deadline, and leave no period without an outcome', async () => {
    const world = ({ identity }: { identity: string }) =>
      identity.endsWith('long') ? { durationMs: 150_000 } : { durationMs: 1000 }
    const krond = new VirtualKrond({ at, world })
    const often = sampleJob('* * * * * @policy(deadline=0s)', { name: 'often' })
    await krond.start([named('long'), often], { maxRunning: 1 })
    await krond.clock.advanceBy(3 * minute)
    const outcomes = krond
      .events('missed_deadline', 'skipped_superseded', 'started')
      .map(({ event, time, period_id }) => `${clockOf(time)} ${event} ${clockOf(period_id)}`)
    expect(outcomes).toEqual([
      '10:00:00 started 10:00:00',
      '10:00:01 missed_deadline 10:00:00',
      '10:01:01 missed_deadline 10:01:00',
      '10:02:01 missed_deadline 10:02:00',
      '10:03:00 started 10:03:00',
    ])
    expect(krond.executed).toEqual([`long ${at}`, 'often 2026-03-01T10:03:00Z'])
  })

  it('give way to the next period of their job while they wait', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 12 * minute }) })
    const often = sampleJob('*/5 * * * * @policy(deadline=1h)', { name: 'often' })
    await krond.start([jobs[0]!, often], { maxRunning: 1 })
    await krond.clock.advanceBy(13 * minute)
    const skipped = krond.events('skipped_superseded')
    expect(skipped.map(({ time, period_id }) => [clockOf(time), clockOf(period_id)])).toEqual([
      ['10:05:00', '10:00:00'],
      ['10:10:00', '10:05:00'],
    ])
    expect(krond.executed).toEqual([`a ${at}`, 'often 2026-03-01T10:10:00Z'])
    expect(krond.processes.executed[1]!.at).toBe(Date.parse(at) + 12 * minute)
  })

  it('say so once, with the time until which they can wait', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    await krond.start([jobs[0]!, named('b', 'deadline=90s')], { maxRunning: 1 })
    await krond.clock.advanceBy(5 * minute)
    expect(krond.events('reschedule').map(fieldsOf)).toEqual([
      {
        level: 'info',
        event: 'reschedule',
        identity: '/jobs.krontab:b',
        period_id: at,
        due: '2026-03-01T10:01:31Z',
        reason: 'queue',
      },
    ])
    expect(krond.events('missed_deadline')).toMatchObject([{ time: '2026-03-01T10:01:31.000Z' }])
  })

  it('are told of when others wait than before', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon } = await krond.start(jobs.slice(0, 4), { maxRunning: 2 })
    const waiting: number[] = []
    daemon.onQueueChange = () => waiting.push(daemon.waitingCount)
    await krond.clock.advanceBy(10 * minute)
    expect(waiting).toEqual([1, 0])
  })

  it('wait for their time again when the clock was set back before their turn', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 30_000 }) })
    const { daemon } = await krond.start(jobs.slice(0, 2), { maxRunning: 1 })
    krond.clock.step(-60 * minute)
    await krond.clock.advanceBy(30_000)
    expect(daemon.job('b')!.phase).toBe('waiting')
    await krond.clock.advanceBy(60 * minute)
    expect(krond.executed).toEqual([`a ${at}`, `b ${at}`])
    const ofToday = krond.events('trigger').filter(({ period_id }) => period_id === at)
    expect(ofToday).toMatchObject([
      { identity: '/jobs.krontab:a', verdict: 'execute' },
      { identity: '/jobs.krontab:b', verdict: 'execute', late_ms: 0 },
    ])
  })

  it('are not missed while they start, however long that takes', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: minute }) })
    const { processes } = krond
    const { prepare } = processes
    processes.prepare = async (start) => {
      if (start.name === 'b') await krond.clock.sleep(2 * minute)
      return prepare.call(processes, start)
    }
    await krond.start([jobs[0]!, named('b', 'deadline=90s')], { maxRunning: 1 })
    await krond.clock.advanceBy(5 * minute)
    expect(krond.executed).toEqual([`a ${at}`, `b ${at}`])
    expect(krond.events('trigger').map(({ verdict }) => verdict)).toEqual(['execute', 'execute'])
  })

  it('wait no more while it is written that their time is over', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const slow = slowDisk(krond.disk)
    const late = [jobs[0]!, named('b', 'deadline=90s')]
    krond.know(late)
    const { daemon } = krond.begin(late, { maxRunning: 1 }, slow.disk)
    await krond.clock.advanceBy(90_000)
    expect(daemon.waitingCount).toBe(1)
    slow.slowDown()
    await krond.clock.advanceBy(1000)
    expect([daemon.waitingCount, daemon.job('b')!.phase]).toEqual([0, 'starting'])
    slow.goOn()
    await krond.clock.advanceBy(0)
    expect(krond.events('missed_deadline')).toHaveLength(1)
  })

  it('are not handled on disk while they wait, and are shown as queued', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon } = await krond.start(jobs, { maxRunning: 2 })
    expect(krond.stateOf(jobs[2]!)).toMatchObject(unhandled)
    const phases = [...daemon.jobs()].map(({ phase }) => phase)
    expect(phases).toEqual(['waiting', 'waiting', 'queued', 'queued', 'queued'])
    expect([...daemon.queue()]).toEqual(['c', 'd', 'e'].map((name) => `/jobs.krontab:${name}`))
  })

  it('stay unhandled when the daemon stops, and are found by the next', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon, ended } = await krond.start(jobs, { maxRunning: 2 })
    void daemon.stop({ kill: false })
    expect(daemon.waitingCount).toBe(0)
    await krond.clock.advanceBy(20 * minute)
    expect(await ended).toBeNull()
    expect(names(krond)).toBe('ab')
    expect(krond.stateOf(jobs[2]!)).toMatchObject(unhandled)
    await krond.start(jobs, { maxRunning: 9 })
    expect(names(krond)).toBe('abcde')
  })

  it('are dropped when their job is removed or suspended', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon } = await krond.start(jobs, { maxRunning: 2 })
    const [a, b, , d, e] = jobs
    await daemon.reload([a!, b!, named('d', 'deadline=1h,suspend=true'), e!])
    expect([...daemon.queue()]).toEqual(['/jobs.krontab:e'])
    await krond.clock.advanceBy(20 * minute)
    expect(names(krond)).toBe('abe')
    for (const job of [jobs[2]!, d!]) expect(krond.stateOf(job)).toMatchObject(unhandled)
  })

  it('run what their job is when their turn comes', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon } = await krond.start(jobs.slice(0, 3), { maxRunning: 1 })
    const moved = sampleJob('30 11 * * * @policy(deadline=1h)', { name: 'b' })
    const changed = sampleJob('0 10 * * * @policy(deadline=1h)', { name: 'c', umask: 0o27 })
    await daemon.reload([jobs[0]!, moved, changed])
    await krond.clock.advanceBy(10 * minute)
    expect(krond.executed).toEqual([`a ${at}`, `c ${at}`])
    expect(daemon.job('b')!.planned!.periodId).toBe('2026-03-01T11:30:00Z')
  })

  it('wait for no place when they replace what has one', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 60 * minute }) })
    const policy = '@policy(concurrency=replace,deadline=1m)'
    const replacing = sampleJob(`*/5 * * * * ${policy}`, { name: 'r' })
    const { daemon } = await krond.start([replacing, jobs[0]!], { maxRunning: 1 })
    await krond.clock.advanceBy(5 * minute)
    expect(krond.executed).toEqual([`r ${at}`, 'r 2026-03-01T10:05:00Z'])
    expect([daemon.runningCount, daemon.waitingCount]).toEqual([1, 1])
  })

  it('count processes that a former daemon left running', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const later = sampleJob('1 10 * * * @policy(deadline=1h)', { name: 'later' })
    await krond.start([jobs[0]!, later])
    krond.kill()
    const { daemon } = await krond.start([jobs[0]!, later], { maxRunning: 1 })
    await krond.clock.advanceBy(minute)
    expect([daemon.runningCount, daemon.waitingCount]).toEqual([1, 1])
    await krond.clock.advanceBy(10 * minute)
    expect(krond.executed).toEqual([`a ${at}`, 'later 2026-03-01T10:01:00Z'])
  })
})
