import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../testing/command/memory-host.js'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { statePath, VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import { Invocation } from '../command/invocation.js'
import type { Configuration } from '../configuration/configuration.js'
import type { ConfigurationSources } from '../configuration/read-configuration.js'
import type { DaemonContact, RunningDaemon } from '../control/daemon-contact.js'
import type { HostJob } from '../daemon/index.js'
import { statusCommand } from './status-command.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const daemon: RunningDaemon = { pid: 77, info: { pid: 77, startedAt: at } }

function statusOf(
  krond: VirtualKrond,
  jobs: readonly HostJob[],
  { format = 'json', seen = daemon as RunningDaemon | null, named = false } = {},
) {
  const host = memoryHost({ now: krond.clock.now().getTime() })
  const invocation = new Invocation(host, { format, color: false }, 'krond')
  const contact: DaemonContact = { clock: krond.clock, find: () => seen, signal() {} }
  const asked: ConfigurationSources[] = []
  const read = (sources: ConfigurationSources): Configuration => {
    asked.push(sources)
    return { jobs, problems: [] }
  }
  const request = {
    folder: '/state',
    named: named ? { krontabs: ['/named'], crontabs: [] } : null,
    usual: { krontabs: ['/usual'], crontabs: [] },
  }
  const exitCode = statusCommand(invocation, request, read, krond.disk, contact)
  return { exitCode, asked, output: host.output.stdout, complaints: host.output.stderr }
}

/** Jobs in all the states that there are. */
async function livedHost() {
  const jobs = [
    sampleJob('*/5 * * * *', { name: 'good' }),
    sampleJob('*/5 * * * *', { name: 'bad' }),
    sampleJob('*/5 * * * * @policy(concurrency=allow)', { name: 'long' }),
    sampleJob('0 9 * * *', { name: 'late' }),
    sampleJob('*/5 * * * * @policy(suspend=true)', { name: 'asleep' }),
    sampleJob('*/5 * * * * @only(dates=2020-01-01..2020-12-31)', { name: 'never' }),
  ]
  const world = ({ identity }: { identity: string }) =>
    identity.endsWith('long')
      ? {}
      : { durationMs: 1000, exitCode: identity.endsWith('bad') ? 3 : 0 }
  const krond = new VirtualKrond({ at, world })
  await krond.start(jobs)
  await krond.clock.advanceBy(6 * minute)
  return { krond, jobs }
}

describe('krond status', () => {
  it('has all as JSON', async () => {
    const { krond, jobs } = await livedHost()
    const { exitCode, output } = statusOf(krond, jobs)
    expect(exitCode).toBe(0)
    const status = JSON.parse(output) as { jobs: object[] }
    expect(status).toMatchObject({
      daemon: { running: true, pid: 77, started_at: at, waiting: 0 },
      state: '/state',
    })
    const last = { period_id: '2026-03-01T10:05:00Z', outcome: 'executed' }
    const next = { period_id: '2026-03-01T10:10:00Z', chosen_time: '2026-03-01T10:10:00Z' }
    const nothing = { running: [], problem: null, suspended: false }
    expect(status.jobs).toMatchObject([
      { ...nothing, name: 'good', next, last: { ...last, exit_code: 0 } },
      { ...nothing, name: 'bad', next, last: { ...last, exit_code: 3 } },
      {
        name: 'long',
        schedule: '*/5 * * * * @policy(concurrency=allow)',
        last: { ...last, exit_code: null },
        running: [
          { period_id: at, pid: expect.any(Number) },
          { period_id: '2026-03-01T10:05:00Z', pid: expect.any(Number) },
        ],
      },
      { ...nothing, name: 'late', last: { outcome: 'missed', exit_code: null } },
      { ...nothing, name: 'asleep', suspended: true, next: null, last: null },
      {
        ...nothing,
        name: 'never',
        next: null,
        last: { outcome: 'unschedulable' },
      },
    ])
  })

  it('has all as a table', async () => {
    const { krond, jobs } = await livedHost()
    const { output } = statusOf(krond, jobs, { format: 'text' })
    const lines = output.trimEnd().split('\n')
    expect(lines.slice(0, 3)).toEqual([
      'krond runs as process 77 since 2026-03-01T10:00:00Z',
      'state in /state',
      '6 jobs in /usual',
    ])
    const rows = lines.slice(5).map((line) => line.split(/ {2,}/).map((cell) => cell.trim()))
    expect(rows).toEqual([
      ['good', '2026-03-01T10:10:00Z', '2026-03-01T10:05:00Z', 'executed, exit 0', '-'],
      ['bad', '2026-03-01T10:10:00Z', '2026-03-01T10:05:00Z', 'executed, exit 3', '-'],
      [
        'long',
        '2026-03-01T10:10:00Z',
        '2026-03-01T10:05:00Z',
        'executed',
        expect.stringMatching(/^\d+ \d+$/),
      ],
      ['late', '2026-03-02T09:00:00Z', '2026-03-01T09:00:00Z', 'missed', '-'],
      ['asleep', 'suspended', '-', '-', '-'],
      ['never', 'never', '2026-03-01T10:05:00Z', 'unschedulable', '-'],
    ])
  })

  it('reads the files that the daemon was started with, unless others are named', async () => {
    const krond = new VirtualKrond({ at })
    const told = { krontabs: ['/srv/jobs'], crontabs: ['/etc/crontab'] }
    const seen = { pid: 77, info: { ...daemon.info, ...told } }
    const shown = statusOf(krond, [], { format: 'text', seen })
    expect(shown.asked).toEqual([told])
    expect(shown.output).toContain('\n0 jobs in /srv/jobs, /etc/crontab\n')
    expect(JSON.parse(statusOf(krond, [], { seen }).output)).toMatchObject(told)
    const named = statusOf(krond, [], { seen, named: true })
    expect(named.asked).toEqual([{ krontabs: ['/named'], crontabs: [] }])
    const usual = [{ krontabs: ['/usual'], crontabs: [] }]
    expect(statusOf(krond, [], { seen: null }).asked).toEqual(usual)
    const odd = { pid: 77, info: { pid: 77, krontabs: [7], crontabs: [] } }
    expect(statusOf(krond, [], { seen: odd }).asked).toEqual(usual)
  })

  it('shows the next run, however far away, and since when krond answers for a job', async () => {
    const krond = new VirtualKrond({ at })
    const rare = sampleJob('* * * * * @only(dow=MON)', { name: 'rare' })
    await krond.start([rare], { firstSight: true })
    await krond.clock.advanceBy(5 * minute)
    expect(JSON.parse(statusOf(krond, [rare]).output)).toMatchObject({
      jobs: [
        {
          next: { chosen_time: '2026-03-02T00:00:00Z' },
          last: { outcome: 'unschedulable' },
          responsible_since: at,
        },
      ],
    })
  })

  it('shows what comes next by a clock that was set back since krond saw the job', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:30Z' })
    const hourly = sampleJob('0 * * * *')
    await krond.start([hourly], { firstSight: true })
    krond.clock.step(-120 * minute)
    const { output } = statusOf(krond, [hourly])
    expect(JSON.parse(output)).toMatchObject({
      jobs: [{ next: { chosen_time: '2026-03-01T09:00:00Z' } }],
    })
  })

  it('shows no exit code of another period than the last one', async () => {
    const first = Date.parse(at)
    const krond = new VirtualKrond({
      at,
      world: ({ nominal }) => (nominal === first ? { durationMs: 6 * minute, exitCode: 3 } : {}),
    })
    const job = sampleJob('*/5 * * * * @policy(concurrency=allow)')
    await krond.start([job])
    await krond.clock.advanceBy(7 * minute)
    const last = { period_id: '2026-03-01T10:05:00Z', outcome: 'executed', exit_code: null }
    expect(JSON.parse(statusOf(krond, [job]).output)).toMatchObject({ jobs: [{ last }] })
  })

  it('says when nobody knows how a run ended', async () => {
    const krond = new VirtualKrond({ at })
    const job = sampleJob('0 10 * * *')
    await krond.start([job])
    krond.kill()
    await krond.clock.advanceBy(5 * minute)
    await krond.start([job])
    await krond.clock.advanceBy(minute)
    expect(statusOf(krond, [job], { format: 'text' }).output).toContain('executed, exit unknown')
  })

  it('shows which starts wait for a place', async () => {
    const krond = new VirtualKrond({ at, world: () => ({}) })
    const jobs = ['a', 'b'].map((name) => sampleJob('0 10 * * * @policy(deadline=1h)', { name }))
    const { daemon: waiting } = await krond.start(jobs, { maxRunning: 1 })
    await krond.clock.advanceBy(minute)
    const info = { waitingCount: waiting.waitingCount, waiting: [...waiting.queue()] }
    const seen = { pid: 77, info: { ...daemon.info, ...info } }
    expect(JSON.parse(statusOf(krond, jobs, { seen }).output)).toMatchObject({
      daemon: { waiting: 1 },
      jobs: [{ queued: false }, { queued: true, next: { chosen_time: at } }],
    })
    const { output } = statusOf(krond, jobs, { format: 'text', seen })
    expect(output).toContain('1 start waiting for a free place\n')
    expect(output).toMatch(/^b +2026-03-01T10:00:00Z queued /m)
  })

  it('says when no daemon runs, with exit code 3', async () => {
    const { krond, jobs } = await livedHost()
    const { exitCode, output } = statusOf(krond, jobs, { format: 'text', seen: null })
    expect(exitCode).toBe(3)
    expect(output).toMatch(/^krond does not run\n/)
    expect(JSON.parse(statusOf(krond, jobs, { seen: null }).output)).toMatchObject({
      daemon: { running: false, pid: null, started_at: null },
    })
  })

  it('shows jobs of a host without state', () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:30Z' })
    const { output } = statusOf(krond, [sampleJob('0 * * * *')])
    expect(JSON.parse(output)).toMatchObject({
      jobs: [
        {
          // The current period was due before anybody saw the job.
          next: { period_id: '2026-03-01T11:00:00Z' },
          responsible_since: null,
          last: null,
          problem: null,
        },
      ],
    })
    expect(statusOf(krond, [], { format: 'text' }).output).toMatch(/\n0 jobs in \/usual\n$/)
  })

  it.each([
    ['is damaged', 'garbage', /its state is damaged: it is not JSON/],
    ['has an unknown version', '{"Version":"99"}', /Version must be/],
  ])('says of which job the state %s, and shows the others', async (_, text, problem) => {
    const { krond, jobs } = await livedHost()
    krond.disk.plant(statePath(jobs[0]!), { bytes: Buffer.from(text) })
    const { exitCode, output } = statusOf(krond, jobs)
    const status = JSON.parse(output) as { jobs: { problem: string | null }[] }
    expect(exitCode).toBe(0)
    expect(status.jobs[0]!.problem).toMatch(problem)
    expect(status.jobs[1]).toMatchObject({ problem: null, last: { exit_code: 3 } })
    expect(statusOf(krond, jobs, { format: 'text' }).output).toMatch(/^good: .*state/m)
  })
})
