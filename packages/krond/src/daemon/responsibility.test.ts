import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../testing/command/memory-host.js'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { fieldsOf, instant, statePath, VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { type KrontabJob, parseKrontab } from '../krontab/index.js'
import { encodeState } from '../state/index.js'
import type { HostJob } from './job-record.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const hour = 60 * minute
const nightly = (policy: string, schedule = '0 2 * * *') =>
  sampleJob(`${schedule} @policy(${policy})`)
const [today, tomorrow] = ['2026-03-01T02:00:00Z', '2026-03-02T02:00:00Z']

describe('a job that is seen for the first time', () => {
  it.each(['deadline=24h', 'deadline=0s'])(
    'runs nothing at once and has missed nothing, with %s',
    async (policy) => {
      const krond = new VirtualKrond({ at })
      const job = nightly(policy)
      const { daemon } = await krond.start([job], { firstSight: true })
      await krond.clock.advanceBy(hour)
      expect(krond.executed).toEqual([])
      expect(krond.happened()).toEqual(['not_responsible'])
      expect(fieldsOf(krond.events('not_responsible')[0])).toEqual({
        level: 'info',
        event: 'not_responsible',
        identity: job.identity,
        period_id: today,
        due: today,
        responsible_since: '2026-03-01T10:00:00.000Z',
      })
      const responsibleSince = Date.parse(at)
      expect(daemon.job('job')).toMatchObject({ phase: 'waiting', last: null, responsibleSince })
      expect(daemon.job('job')!.planned!.periodId).toBe(tomorrow)
      expect(krond.stateOf(job)).toMatchObject({
        Timing: job.job.timing,
        ResponsibleSince: at,
        LastHandledPeriodID: '',
        LastOutcome: '',
      })
      await krond.clock.advanceBy(15 * hour)
      expect(krond.executed).toEqual([`job ${tomorrow}`])
    },
  )

  it('is the same when a reload brings it', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([])
    await krond.clock.advanceBy(minute)
    await daemon.reload([nightly('deadline=24h')])
    await krond.clock.advanceBy(hour)
    expect(krond.happened()).toEqual(['not_responsible', 'reload'])
    expect(krond.executed).toEqual([])
  })

  it('has its current period evaluated when it says first=run', async () => {
    const krond = new VirtualKrond({ at })
    await krond.start([nightly('deadline=24h,first=run')], { firstSight: true })
    expect(krond.executed).toEqual([`job ${today}`])
  })

  it('runs in the period that has begun, if its time is still to come', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T02:00:00Z' })
    const job = sampleJob('0 2 * * * @win(after,8h)')
    await krond.start([job], { firstSight: true })
    await krond.clock.advanceBy(8 * hour)
    expect(krond.executed).toEqual([`job ${today}`])
  })

  it.each([
    ['chosen time', '0 9 * * * @win(after,30m)', false],
    [
      'window, if no time of it is allowed',
      '0 9 * * * @win(after,30m) @avoid(date=2026-03-01)',
      true,
    ],
  ])('is reported with the %s, and since when it is known', async (_, schedule, hasNone) => {
    const krond = new VirtualKrond({ at })
    const suspended = sampleJob(`${schedule} @policy(suspend=true)`)
    const { daemon } = await krond.start([suspended], { firstSight: true })
    await krond.clock.advanceBy(minute)
    const { chosenTime, windowStart } = suspended.job.decide(Date.parse('2026-03-01T09:00:00Z'))
    expect([chosenTime === null, chosenTime === windowStart]).toEqual([hasNone, false])
    await daemon.reload([sampleJob(schedule)])
    expect(krond.events('not_responsible')).toMatchObject([
      {
        period_id: '2026-03-01T09:00:00Z',
        due: instant(chosenTime ?? windowStart),
        responsible_since: '2026-03-01T10:00:00.000Z',
      },
    ])
  })

  it('is not told of again by a reload that changes nothing of its timing', async () => {
    const krond = new VirtualKrond({ at })
    const { daemon } = await krond.start([nightly('deadline=24h')], { firstSight: true })
    await daemon.reload([nightly('deadline=23h')])
    await krond.clock.advanceBy(hour)
    expect(krond.events('not_responsible')).toHaveLength(1)
    expect(krond.executed).toEqual([])
  })
})

describe('since when the host answers for a job', () => {
  const eleven = nightly('deadline=2h', '0 11 * * *')

  it('is remembered over a restart, so that what came up meanwhile is made up for', async () => {
    const krond = new VirtualKrond({ at })
    await krond.start([eleven], { firstSight: true })
    krond.kill()
    await krond.clock.advanceBy(2 * hour)
    await krond.start([eleven], { firstSight: true })
    expect(krond.executed).toEqual(['job 2026-03-01T11:00:00Z'])
  })

  it('is later when the daemon dies before that is on disk, and nothing runs', async () => {
    const krond = new VirtualKrond({ at })
    krond.begin([eleven])
    krond.kill()
    await krond.clock.advanceBy(2 * hour)
    expect(krond.stateOf(eleven)).toBeNull()
    await krond.start([eleven], { firstSight: true })
    await krond.clock.advanceBy(hour)
    expect(krond.executed).toEqual([])
    expect(krond.happened()).toEqual(['not_responsible'])
  })

  it('is the change when the timing was edited, while the daemon runs or does not', async () => {
    const krond = new VirtualKrond({ at })
    const moved = nightly('deadline=24h', '58 9 * * *')
    const { daemon } = await krond.start([nightly('deadline=0s')])
    await krond.clock.advanceBy(minute)
    await daemon.reload([moved])
    await krond.clock.advanceBy(minute)
    expect(krond.stateOf(moved)).toMatchObject({ ResponsibleSince: '2026-03-01T10:01:00Z' })
    krond.kill()
    await krond.clock.advanceBy(hour)
    await krond.start([nightly('deadline=24h', '0 11 * * *')])
    await krond.clock.advanceBy(hour)
    expect(krond.executed).toEqual([])
  })

  it.each(['deadline=1h', 'deadline=0s,suspend=true', 'deadline=0s,concurrency=allow'])(
    'is not moved by an edited policy: %s',
    async (policy) => {
      const krond = new VirtualKrond({ at })
      const { daemon } = await krond.start([nightly('deadline=0s')])
      await daemon.reload([nightly(policy)])
      await krond.clock.advanceBy(minute)
      expect(krond.stateOf(nightly(policy))).toMatchObject({
        ResponsibleSince: '2026-02-28T10:00:00Z',
      })
    },
  )

  it('begins again for a job that was taken out and comes back', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T01:00:00Z' })
    const job = nightly('deadline=10h')
    const { daemon } = await krond.start([job])
    await daemon.reload([])
    await krond.clock.advanceBy(9 * hour)
    await daemon.reload([job])
    await krond.clock.advanceBy(hour)
    expect(krond.executed).toEqual([])
    expect(krond.events('not_responsible')).toMatchObject([{ period_id: today }])
  })

  it('begins again for one that still ran, though the clock was set back meanwhile', async () => {
    const krond = new VirtualKrond({ at, world: () => ({}) })
    const hourly = nightly('deadline=1h,concurrency=allow', '0 * * * *')
    const { daemon } = await krond.start([hourly])
    await daemon.reload([])
    krond.clock.step(-hour)
    await krond.clock.advanceBy(2.5 * hour)
    await daemon.reload([hourly])
    await krond.clock.advanceBy(minute)
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.events('not_responsible')).toMatchObject([{ period_id: '2026-03-01T11:00:00Z' }])
  })

  it('moves back with a clock that is set back, so that the job is not lost until then', async () => {
    const krond = new VirtualKrond({ at })
    const hourly = nightly('deadline=0s', '0 * * * *')
    await krond.start([hourly], { firstSight: true })
    await krond.clock.advanceBy(minute)
    krond.clock.step(-3 * hour)
    await krond.clock.advanceBy(2 * hour)
    expect(krond.executed).toEqual([`job ${at}`])
    const other = new VirtualKrond({ at: '2026-03-01T10:30:00Z' })
    await other.start([hourly], { firstSight: true })
    await other.clock.advanceBy(minute)
    other.clock.step(-3 * hour)
    await other.clock.advanceBy(hour)
    expect(other.executed).toEqual(['job 2026-03-01T08:00:00Z'])
  })
})

describe('an imported timer with Persistent=true', () => {
  it('makes up for what was missed from then on, and runs nothing at once', async () => {
    const files = {
      '/u/b.timer': '[Timer]\nOnCalendar=*-*-* 02:00:00\nPersistent=true\n',
      '/u/b.service': '[Service]\nType=oneshot\nExecStart=/bin/backup\n',
    }
    const { stdout } = runInMemory(['import', '--systemd', '/u/b.timer', '--timezone', 'UTC'], {
      files,
    })
    const [{ identity, name, job }] = parseKrontab(stdout, '/jobs.krontab').jobs as [KrontabJob]
    const imported: HostJob = { ...sampleJob('0 2 * * *', { name }), identity, name, job }
    const krond = new VirtualKrond({ at })
    await krond.start([imported], { firstSight: true })
    await krond.clock.advanceBy(hour)
    expect(krond.executed).toEqual([])
    krond.kill()
    await krond.clock.advanceBy(20 * hour)
    await krond.start([imported], { firstSight: true })
    expect(krond.executed).toEqual([`${name} ${tomorrow}`])
  })
})

describe('a state file from before krond kept that', () => {
  const plant = (krond: VirtualKrond, job: HostJob, nominal: number | null): void => {
    krond.disk.makeFolder('/state', 0o700)
    const last =
      nominal === null ? null : { nominal, outcome: 'executed' as const, chosen: nominal }
    const nothing = { responsibility: null, active: null, others: [], history: [] }
    const bytes = encodeState({ identity: job.identity, last, ...nothing })
    krond.disk.plant(statePath(job), { bytes })
  }

  it('counts from its last handled period on', async () => {
    const krond = new VirtualKrond({ at })
    const job = nightly('deadline=24h')
    plant(krond, job, Date.parse('2026-02-28T02:00:00Z'))
    await krond.start([job])
    expect(krond.executed).toEqual([`job ${today}`])
    expect(krond.stateOf(job)).toMatchObject({
      LastHandledPeriodID: today,
      ResponsibleSince: '2026-02-28T02:00:00Z',
    })
  })

  it('counts from now on when it has handled nothing', async () => {
    const krond = new VirtualKrond({ at })
    const job = nightly('deadline=24h')
    plant(krond, job, null)
    await krond.start([job])
    await krond.clock.advanceBy(hour)
    expect(krond.executed).toEqual([])
    expect(krond.stateOf(job)).toMatchObject({ ResponsibleSince: at, LastHandledPeriodID: '' })
  })
})

describe('a state file that is lost', () => {
  it.each(['removed', 'damaged'])('runs nothing at once: %s', async (how) => {
    const krond = new VirtualKrond({ at })
    const job = nightly('deadline=24h', '0 10 * * *')
    const life = await krond.start([job])
    void life.daemon.stop({ kill: true })
    await krond.clock.advanceBy(minute)
    if (how === 'damaged') krond.disk.plant(statePath(job), { bytes: Buffer.from('{') })
    else krond.disk.remove(statePath(job))
    await krond.start([job], { firstSight: true })
    await krond.clock.advanceBy(hour)
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.stateOf(job)).toMatchObject({ ResponsibleSince: '2026-03-01T10:01:00Z' })
  })
})
