import { describe, expect, it } from 'vitest'
import { sampleJob } from './testing/sample-job.js'
import { VirtualKrond } from './testing/virtual-krond.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => sampleJob('0 10 * * *', { name }))
const names = (krond: VirtualKrond) => krond.executed.map((text) => text.split(' ')[0]).join('')

describe('more starts than may run at once', () => {
  it('wait in order and keep the verdict that they had in time', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon } = await krond.start(jobs, { maxRunning: 2 })
    expect([names(krond), daemon.runningCount, daemon.waitingCount]).toEqual(['ab', 2, 3])
    await krond.clock.advanceBy(10 * minute)
    expect([names(krond), daemon.runningCount, daemon.waitingCount]).toEqual(['abcd', 2, 1])
    await krond.clock.advanceBy(10 * minute)
    expect([names(krond), daemon.waitingCount]).toEqual(['abcde', 0])
    expect(krond.events('trigger').map(({ verdict, late_ms }) => [verdict, late_ms])).toEqual(
      jobs.map(() => ['execute', 0]),
    )
    expect(krond.events('missed_deadline')).toEqual([])
  })

  it('are not on disk while they wait, and are shown as starting', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon } = await krond.start(jobs, { maxRunning: 2 })
    expect(krond.stateOf(jobs[2]!)).toBeNull()
    expect([...daemon.jobs()].map(({ phase }) => phase)).toEqual([
      'waiting',
      'waiting',
      'starting',
      'starting',
      'starting',
    ])
  })

  it('are triggered once, however long they wait', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 30 * minute }) })
    const often = sampleJob('*/5 * * * *', { name: 'often' })
    await krond.start([jobs[0]!, often], { maxRunning: 1 })
    await krond.clock.advanceBy(29 * minute)
    expect(krond.events('trigger')).toHaveLength(2)
    await krond.clock.advanceBy(minute)
    expect(krond.executed).toEqual([`a ${at}`, `often ${at}`])
  })

  it('stay unhandled when the daemon stops, and are found by the next', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const patient = jobs.map(({ name }) => sampleJob('0 10 * * * @policy(deadline=1h)', { name }))
    const { daemon, ended } = await krond.start(patient, { maxRunning: 2 })
    void daemon.stop({ kill: false })
    await krond.clock.advanceBy(20 * minute)
    expect(await ended).toBeNull()
    expect(names(krond)).toBe('ab')
    expect(krond.stateOf(patient[2]!)).toBeNull()
    await krond.start(patient, { maxRunning: 9 })
    expect(names(krond)).toBe('abcde')
  })

  it('are dropped when their job is removed or suspended', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon } = await krond.start(jobs, { maxRunning: 2 })
    const [a, b, , d, e] = jobs
    const suspended = sampleJob('0 10 * * * @policy(suspend=true)', { name: 'd' })
    await daemon.reload([a!, b!, suspended, e!])
    await krond.clock.advanceBy(20 * minute)
    expect(names(krond)).toBe('abe')
    expect([krond.stateOf(jobs[2]!), krond.stateOf(d!)]).toEqual([null, null])
  })

  it('run what they were when the verdict was given', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const { daemon } = await krond.start(jobs.slice(0, 2), { maxRunning: 1 })
    await daemon.reload([jobs[0]!, sampleJob('30 11 * * *', { name: 'b' })])
    await krond.clock.advanceBy(10 * minute)
    expect(krond.executed).toEqual([`a ${at}`, `b ${at}`])
    const planned = daemon.job('b')!.planned!
    expect(planned.periodId).toBe('2026-03-01T11:30:00Z')
    expect(krond.events('decision').at(-1)).toMatchObject({
      period_id: '2026-03-01T11:30:00Z',
      schedule: '30 11 * * *',
    })
  })

  it('count processes that a former daemon left running', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 10 * minute }) })
    const later = sampleJob('1 10 * * *', { name: 'later' })
    await krond.start([jobs[0]!, later])
    krond.kill()
    const { daemon } = await krond.start([jobs[0]!, later], { maxRunning: 1 })
    await krond.clock.advanceBy(minute)
    expect([daemon.runningCount, daemon.waitingCount]).toEqual([1, 1])
    await krond.clock.advanceBy(10 * minute)
    expect(krond.executed).toEqual([`a ${at}`, 'later 2026-03-01T10:01:00Z'])
  })
})
