import { compileJob, IncompatibleStateError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { fieldsOf, statePath, VirtualKrond } from '../../testing/daemon/virtual-krond.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const every5 = (policy = 'deadline=0s') => sampleJob(`*/5 * * * * @policy(${policy})`)
const forLong = () => ({ durationMs: 12 * minute })

describe('a reload', () => {
  it('tells what is different', async () => {
    const krond = new VirtualKrond({ at })
    const job = (name: string, minuteOfHour = 0) => sampleJob(`${minuteOfHour} * * * *`, { name })
    const { daemon } = await krond.start([job('a'), job('b'), job('c')])
    const summary = await daemon.reload([job('a'), job('b', 30), job('d'), job('e')])
    expect(summary).toEqual({ jobs: 4, added: 2, changed: 1, removed: 1 })
    expect(fieldsOf(krond.events('reload')[0])).toEqual({
      level: 'info',
      event: 'reload',
      ...summary,
    })
    expect([...daemon.jobs()].map(({ hostJob }) => hostJob.name)).toEqual(['a', 'b', 'd', 'e'])
  })

  it('leaves jobs that did not change as they are planned', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([every5()])
    const before = krond.lines.length
    await daemon.reload([every5()])
    expect(krond.lines.slice(before).map(({ event }) => event)).toEqual(['reload'])
  })

  it.each([
    ['another time', sampleJob('2,7 10 * * *'), '2026-03-01T10:02:00Z'],
    ['another window', sampleJob('*/5 * * * * @win(after,2m)'), '2026-03-01T10:05:00Z'],
    ['another policy', every5('deadline=2m'), '2026-03-01T10:05:00Z'],
    ['another zone', sampleJob('*/5 * * * * @tz(Asia/Kolkata)'), '2026-03-01T10:05:00Z'],
    ['another distribution', sampleJob('*/5 * * * * @dist(skewLate)'), '2026-03-01T10:05:00Z'],
    ['another constraint', sampleJob('*/5 * * * * @only(hours=8-18)'), '2026-03-01T10:05:00Z'],
    ['another seed strategy', sampleJob('*/5 * * * * @seed(daily)'), '2026-03-01T10:05:00Z'],
    ['another salt', sampleJob('*/5 * * * * @seed(stable,salt=y)'), '2026-03-01T10:05:00Z'],
    ['another command', sampleJob('*/5 * * * * @policy(deadline=0s)', { cwd: '/tmp' }), null],
  ])('plans a job with %s again, from its first unhandled period', async (_, changed, period) => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([every5()])
    await krond.clock.advanceBy(minute)
    const before = krond.lines.length
    await daemon.reload([changed])
    expect(krond.lines.slice(before)).toMatchObject([
      { event: 'decision', period_id: period ?? '2026-03-01T10:05:00Z' },
      { event: 'reload', changed: 1 },
    ])
    expect(daemon.job('job')!.hostJob).toBe(changed)
    expect(krond.executed).toEqual([`job ${at}`])
  })

  it('plans a job again that is read in another dialect', async () => {
    const krond = new VirtualKrond({ at })
    const job = sampleJob('0 10 1-5 * 1')
    const { spec, identity } = job.job
    const changed = { ...job, job: compileJob({ ...spec, identity, dialect: 'posix' }) }
    const { daemon } = await krond.start([job])
    expect(await daemon.reload([changed])).toMatchObject({ changed: 1 })
    expect(daemon.job('job')!.hostJob).toBe(changed)
  })

  it('never runs a handled period again, whatever the new schedule makes of it', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 1000 }) })
    const { daemon } = await krond.start([every5('deadline=1h')])
    await krond.clock.advanceBy(minute)
    for (const schedule of ['0 * * * *', '0 10 * * *', '*/10 * * * *', '* 10 * * *']) {
      await daemon.reload([sampleJob(`${schedule} @policy(deadline=1h)`)])
      await krond.clock.advanceBy(0)
    }
    // The last one has a period at 10:01, which was not handled yet.
    expect(krond.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:01:00Z'])
  })

  it('runs the new command from then on', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([every5()])
    const changed = sampleJob('*/5 * * * *', { timeoutMs: 10_000 })
    await daemon.reload([changed])
    await krond.clock.advanceBy(6 * minute)
    expect(krond.events('timed_out')).toMatchObject([{ period_id: '2026-03-01T10:05:00Z' }])
  })
})

describe('a job that is removed', () => {
  it('is said to be, is waited for no more and forgotten if nothing of it runs', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:30Z' })
    const job = every5()
    const { daemon } = await krond.start([job], { firstSight: true })
    const before = krond.lines.length
    await daemon.reload([])
    expect(krond.lines.slice(before).map(fieldsOf)).toEqual([
      {
        level: 'info',
        event: 'unplanned',
        identity: job.identity,
        reason: 'removed',
        schedule: '*/5 * * * *',
        dialect: 'standard',
      },
      { level: 'info', event: 'reload', jobs: 0, added: 0, changed: 0, removed: 1 },
    ])
    expect([daemon.jobCount, daemon.isQuietFor(24 * 60 * minute)]).toEqual([0, true])
    await krond.clock.advanceBy(10 * minute)
    expect(krond.lines).toHaveLength(before + 2)
  })

  it('is not one of the jobs of a daemon that stops', async () => {
    const krond = new VirtualKrond({ at, world: forLong })
    const { daemon } = await krond.start([every5()])
    await daemon.reload([])
    void daemon.stop({ kill: false })
    expect(krond.events('stop')).toMatchObject([{ running: 1, jobs: 0 }])
  })

  it('is not triggered any more, but the end of its execution is recorded', async () => {
    const krond = new VirtualKrond({ at, world: forLong })
    const { daemon } = await krond.start([every5('concurrency=allow')])
    await daemon.reload([])
    expect([[...daemon.jobs()], daemon.job('job'), daemon.jobCount]).toEqual([[], undefined, 1])
    await krond.clock.advanceBy(13 * minute)
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.stateOf(every5())).toMatchObject({
      ActiveExecution: null,
      History: [{ PeriodID: at, ExitCode: 0 }],
    })
    expect(daemon.jobCount).toBe(0)
  })

  it('knows what runs and what was handled when it comes back meanwhile', async () => {
    const krond = new VirtualKrond({ at, world: forLong })
    const { daemon } = await krond.start([every5('concurrency=forbid,deadline=1h')])
    await krond.clock.advanceBy(minute)
    await daemon.reload([])
    await daemon.reload([every5('concurrency=forbid,deadline=1h')])
    expect(krond.events('recovered')).toEqual([])
    await krond.clock.advanceBy(4 * minute)
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.events('skipped_concurrency')).toMatchObject([
      { period_id: '2026-03-01T10:05:00Z' },
    ])
    await krond.clock.advanceBy(10 * minute)
    expect(krond.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:15:00Z'])
  })

  it('finds its state when it comes back after its execution', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 1000 }) })
    const { daemon } = await krond.start([every5('deadline=1h')])
    await daemon.reload([])
    await krond.clock.advanceBy(2000)
    expect(daemon.jobCount).toBe(0)
    await daemon.reload([every5('deadline=1h')])
    await krond.clock.advanceBy(minute)
    expect(krond.executed).toEqual([`job ${at}`])
    expect(daemon.job('job')!.last).toMatchObject({ nominal: Date.parse(at) })
  })
})

describe('a job that is added', () => {
  it('has its current period evaluated if the host has known it', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:01:00Z' })
    const { daemon } = await krond.start([every5('deadline=1h,suspend=true')])
    await daemon.reload([every5('deadline=1h')])
    await krond.clock.advanceBy(0)
    expect(krond.executed).toEqual([`job ${at}`])
  })

  it('leaves all as it was when its state is of an unknown version', async () => {
    const krond = new VirtualKrond({ at })
    const bad = sampleJob('* * * * *', { name: 'bad' })
    krond.disk.makeFolder('/state', 0o700)
    const fields = { Version: '99', Identity: bad.identity, LastHandledPeriodID: '' }
    krond.disk.plant(statePath(bad), { bytes: Buffer.from(JSON.stringify(fields)) })
    const { daemon } = await krond.start([every5()])
    const added = sampleJob('* * * * *', { name: 'added' })
    await expect(daemon.reload([added, bad])).rejects.toBeInstanceOf(IncompatibleStateError)
    expect([...daemon.jobs()].map(({ hostJob }) => hostJob.name)).toEqual(['job'])
    await krond.clock.advanceBy(6 * minute)
    expect(krond.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:05:00Z'])
  })
})

describe('a start that fails while its job changes', () => {
  it('is followed by the decision that holds from then on', async () => {
    const undying = { ignoresTerm: true, killMs: Number.POSITIVE_INFINITY }
    const krond = new VirtualKrond({ at, world: () => undying })
    const { daemon } = await krond.start([every5('concurrency=replace')])
    await krond.clock.advanceBy(5 * minute + 1000)
    const changed = sampleJob('*/5 * * * * @win(after,4m) @policy(concurrency=allow)')
    await daemon.reload([changed])
    await krond.clock.advanceBy(15_000)
    const decision = changed.job.decide(Date.parse('2026-03-01T10:05:00Z'))
    expect(krond.events('decision').at(-1)).toMatchObject({
      period_id: decision.periodId,
      seed_hash: decision.seedHash,
      schedule: expect.stringContaining('@win(after,4m)'),
    })
  })
})
