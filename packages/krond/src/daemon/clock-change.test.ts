import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { fieldsOf, VirtualKrond } from '../../testing/daemon/virtual-krond.js'

const at = '2026-03-01T10:00:00Z'
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const every5 = sampleJob('*/5 * * * * @policy(deadline=1m)')

/** A daemon that has lived for seven minutes. */
async function lived(world = () => ({ durationMs: second })) {
  const krond = new VirtualKrond({ at, world })
  await krond.start([every5, sampleJob('* * * * *', { name: 'tick' })])
  await krond.clock.advanceBy(7 * minute)
  return krond
}

const of = (krond: VirtualKrond, name: string) =>
  krond.executed.filter((text) => text.startsWith(`${name} `)).map((text) => text.split(' ')[1])

describe('a clock that is set back', () => {
  it.each([
    ['a second', second],
    ['an hour', hour],
    ['a day', 24 * hour],
  ])('by %s is a warning, and no period is handled again', async (_, ms) => {
    const krond = await lived()
    const before = krond.executed.length
    krond.clock.step(-ms)
    await krond.clock.advanceBy(minute)
    const [jump] = krond.events('clock_jump')
    expect(jump).toMatchObject({ level: 'warn', event: 'clock_jump' })
    expect(jump!['jump_ms']).toBe(-ms)
    await krond.clock.advanceBy(ms - minute + 8 * minute)
    const { executed } = krond
    expect(new Set(executed).size).toBe(executed.length)
    expect(executed.length).toBeGreaterThan(before)
    const minutes = ['00', '05', '10', '15']
    expect(of(krond, 'job')).toEqual(minutes.map((past) => `2026-03-01T10:${past}:00Z`))
  })

  it('says from when to when', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:10Z', world: () => ({ durationMs: 1 }) })
    await krond.start([sampleJob('0 12 * * *')])
    krond.clock.step(-hour)
    await krond.clock.advanceBy(minute)
    expect(fieldsOf(krond.events('clock_jump')[0])).toEqual({
      level: 'warn',
      event: 'clock_jump',
      from: '2026-03-01T10:01:10Z',
      to: '2026-03-01T09:01:10Z',
      jump_ms: -hour,
    })
  })

  it('by less than a second is none', async () => {
    const krond = await lived()
    krond.clock.step(-900)
    await krond.clock.advanceBy(5 * minute)
    expect(krond.events('clock_jump')).toEqual([])
  })

  it('has all that waits planned again, for the same periods', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:01:00Z', world: () => ({ durationMs: 1 }) })
    const { daemon } = await krond.start([sampleJob('0 * * * *')])
    await krond.clock.advanceBy(minute)
    krond.clock.step(-30 * minute)
    await krond.clock.advanceBy(minute)
    expect(krond.events('reschedule').map(fieldsOf)).toEqual([
      {
        level: 'info',
        event: 'reschedule',
        identity: '/jobs.krontab:job',
        period_id: '2026-03-01T11:00:00Z',
        due: '2026-03-01T11:00:00Z',
        reason: 'clock',
      },
    ])
    expect(daemon.job('job')!.planned!.periodId).toBe('2026-03-01T11:00:00Z')
  })
})

describe('a clock that is set forward', () => {
  it('has the current period evaluated with its deadline, and none in between', async () => {
    const krond = await lived()
    const before = krond.lines.length
    krond.clock.step(3 * hour + 8 * minute)
    await krond.clock.advanceBy(minute)
    const [jump] = krond.events('clock_jump')
    expect(jump).toMatchObject({ level: 'info' })
    expect(Number(jump!['jump_ms'])).toBeGreaterThan(3 * hour)
    const missed = krond.lines.slice(before).filter(({ event }) => event === 'missed_deadline')
    // Of each job the period that was planned; of the current ones, what is in time runs.
    expect(missed.length).toBeLessThanOrEqual(4)
    expect(of(krond, 'job').at(-1)).toBe('2026-03-01T13:15:00Z')
    expect(of(krond, 'job')).toHaveLength(3)
    expect(krond.events('error')).toEqual([])
  })

  it('is noticed within a minute', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:01Z', world: () => ({ durationMs: 1 }) })
    await krond.start([sampleJob('0 12 * * * @policy(deadline=1h)')])
    krond.clock.step(2 * hour)
    await krond.clock.advanceBy(minute)
    expect(krond.executed).toEqual(['job 2026-03-01T12:00:00Z'])
  })
})
