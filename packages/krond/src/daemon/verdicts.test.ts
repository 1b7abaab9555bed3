import { tzdataVersion } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { fieldsOf, type LoggedLine, VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import type { VirtualRun } from '../../testing/process/virtual-process.js'

const identity = '/jobs.krontab:job'

/** A job that was handled through some period lives for so many minutes from `at` on. */
async function lived(schedule: string, at: string, minutes: number) {
  const krond = new VirtualKrond({ at })
  const job = sampleJob(schedule)
  await krond.start([job])
  await krond.clock.advanceBy(minutes * 60_000)
  return { krond, state: krond.stateOf(job)! }
}

const ofPeriod = (lines: readonly LoggedLine[], period_id: string) =>
  lines.filter((line) => line['period_id'] === period_id)

describe('a period that is executed', () => {
  const period_id = '2026-03-01T10:00:00Z'
  const about = { identity, period_id, level: 'info' }
  const run = () =>
    lived('0 10 * * * @win(after,30m) @seed(stable,salt=x)', '2026-03-01T09:59:00Z', 60)

  it('is planned, triggered, started and completed, each line with exactly its fields', async () => {
    const { krond } = await run()
    const lines = ofPeriod(krond.lines, period_id)
    const decision = sampleJob('0 10 * * * @win(after,30m) @seed(stable,salt=x)').job.decide(
      Date.parse(period_id),
    )
    expect(lines.map(fieldsOf)).toEqual([
      {
        ...about,
        event: 'decision',
        schedule: '0 10 * * * @win(after,30m) @seed(stable,salt=x)',
        dialect: 'standard',
        nominal_time: period_id,
        window_start: period_id,
        window_end: '2026-03-01T10:30:00Z',
        chosen_time: new Date(decision.chosenTime!).toISOString().replace('.000', ''),
        timezone: 'UTC',
        tzdata: tzdataVersion,
        distribution: decision.distribution,
        seed_strategy: 'stable',
        salt: 'x',
        seed_hash: decision.seedHash,
        attempts: 1,
        constraints_applied: decision.constraintsApplied,
      },
      {
        ...about,
        event: 'trigger',
        verdict: 'execute',
        late_ms: 0,
        judged_at: new Date(decision.chosenTime!).toISOString(),
      },
      { ...about, event: 'started', outcome: 'executed', pid: 2 },
      {
        ...about,
        event: 'completed',
        pid: 2,
        exit_code: 0,
        signal: null,
        duration_ms: 60_000,
      },
    ])
  })

  it('is in the state file with its end', async () => {
    const { krond, state } = await run()
    const [trigger] = krond.events('trigger').slice(-1)
    const chosen = trigger!.time.replace('.000', '')
    expect(state).toMatchObject({
      Identity: identity,
      LastHandledPeriodID: period_id,
      LastOutcome: 'executed',
      LastNominalTime: period_id,
      LastChosenTime: chosen,
      ActiveExecution: null,
      OtherActive: [],
    })
    expect((state['History'] as unknown[]).at(-1)).toEqual({
      PeriodID: period_id,
      Outcome: 'executed',
      NominalTime: period_id,
      ChosenTime: chosen,
      CompletedAt: new Date(Date.parse(chosen) + 60_000).toISOString().replace('.000', ''),
      ExitCode: 0,
    })
  })

  it('is on disk as running until then', async () => {
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:00Z' })
    const job = sampleJob('0 10 * * *')
    await krond.start([job])
    expect(krond.stateOf(job)).toMatchObject({
      LastOutcome: 'executed',
      ActiveExecution: {
        PeriodID: period_id,
        PID: 2,
        StartedAt: period_id,
        ChosenTime: period_id,
        StartTicks: 1,
        BootID: expect.any(String),
      },
    })
  })

  it('stays executed when the job fails, and is not tried again', async () => {
    const world = () => ({ durationMs: 1000, exitCode: 3 })
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:00Z', world })
    const job = sampleJob('0 10 * * * @policy(deadline=1h)')
    await krond.start([job])
    await krond.clock.advanceBy(3_600_000)
    expect(krond.executed).toEqual(['job 2026-03-01T10:00:00Z'])
    expect(krond.events('completed').map(fieldsOf)).toEqual([
      {
        ...about,
        level: 'error',
        event: 'completed',
        pid: 2,
        exit_code: 3,
        signal: null,
        duration_ms: 1000,
        error_type: 'ExecutionError',
        operation: 'run_job',
        message: 'the command ended with exit code 3',
      },
    ])
    expect(krond.stateOf(job)).toMatchObject({
      LastOutcome: 'executed',
      History: [{ ExitCode: 3 }],
    })
  })

  it('has its lines of output in the log, with the period', async () => {
    const output = [
      { stream: 'stdout', line: 'hello' },
      { stream: 'stderr', line: 'oh' },
    ] as const
    const krond = new VirtualKrond({
      at: '2026-03-01T10:00:00Z',
      world: () => ({ durationMs: 1000, output }),
    })
    await krond.start([sampleJob('0 10 * * *')])
    await krond.clock.advanceBy(2000)
    const lines = output.map((one) => ({ ...one, identity, period_id, level: 'info' }))
    expect(krond.events('output').map(fieldsOf)).toEqual(
      lines.map((line) => ({ ...line, event: 'output' })),
    )
  })
})

describe('a period that is not executed', () => {
  // 8 March 2026 in New York: 01:59 is followed by 03:00, so the window of 01:00 meets 03:00.
  /** Of the time that each of these is judged at, the audit has more to say. */
  const judged_at = expect.stringMatching(/^2026-03-0\d{1}T\d\d:\d\d:\d\d\.000Z$/)
  const superseded = '0 1,3 * * * @tz(America/New_York) @win(after,2h) @seed(stable,salt=late)'

  it.each([
    [
      'because its deadline is over',
      ['0 10 * * * @policy(deadline=10m)', '2026-03-01T10:11:00Z', 1],
      { period_id: '2026-03-01T10:00:00Z', outcome: 'missed', level: 'info' },
      { event: 'missed_deadline', reason: '11m late, deadline 10m' },
      { verdict: 'missed', late_ms: 660_000, judged_at },
    ],
    [
      'because it is a second late without a deadline',
      ['0 10 * * *', '2026-03-01T10:00:01Z', 1],
      { period_id: '2026-03-01T10:00:00Z', outcome: 'missed', level: 'info' },
      { event: 'missed_deadline', reason: '1s late, deadline 0s' },
      { verdict: 'missed', late_ms: 1000, judged_at },
    ],
    [
      'because the job still runs and may not run twice',
      ['0,1 10 * * * @policy(concurrency=forbid)', '2026-03-01T10:00:00Z', 1],
      { period_id: '2026-03-01T10:01:00Z', outcome: 'skipped', level: 'info' },
      { event: 'skipped_concurrency', reason: 'concurrency' },
      { verdict: 'skipped', late_ms: 0, judged_at },
    ],
    [
      'because the clock change brings the next window first',
      [superseded, '2026-03-08T06:30:00Z', 60],
      { period_id: '2026-03-08T06:00:00Z', outcome: 'skipped', level: 'info' },
      { event: 'skipped_superseded', reason: 'superseded' },
      { verdict: 'skipped', late_ms: expect.any(Number), judged_at },
    ],
    [
      'because its constraints leave no time',
      ['0 10 * * * @win(after,1h) @avoid(hours=10)', '2026-03-01T10:00:00Z', 1],
      { period_id: '2026-03-01T10:00:00Z', outcome: 'unschedulable', level: 'warn' },
      { event: 'constraint_unsatisfiable', reason: expect.stringMatching(/no candidate/) },
      { verdict: 'unschedulable', late_ms: 0, judged_at },
    ],
  ] as const)('%s', async (_, [schedule, at, minutes], about, said, trigger) => {
    const { period_id, outcome, level } = about
    const world = () => ({ durationMs: 90_000 })
    const krond = new VirtualKrond({ at, world })
    const job = sampleJob(schedule)
    await krond.start([job])
    await krond.clock.advanceBy(minutes * 60_000)
    const lines = ofPeriod(krond.lines, period_id).filter(({ event }) => event !== 'decision')
    expect(lines.map(fieldsOf)).toEqual([
      { identity, period_id, level: 'info', event: 'trigger', ...trigger },
      { identity, period_id, level, outcome, ...said },
    ])
    expect(krond.executed).not.toContain(`job ${period_id}`)
    const chosen = outcome === 'unschedulable' ? '' : expect.stringMatching(/Z$/)
    expect(krond.stateOf(job)!['History']).toContainEqual({
      PeriodID: period_id,
      Outcome: outcome,
      NominalTime: period_id,
      ChosenTime: chosen,
      CompletedAt: lines[1]!.time.replace('.000', ''),
      ExitCode: null,
    })
  })

  it('is the last one handled when nothing came after it', async () => {
    const { state } = await lived(
      '0 10 * * * @win(after,1h) @avoid(hours=10)',
      '2026-03-01T10:00:00Z',
      1,
    )
    expect(state).toMatchObject({
      LastHandledPeriodID: '2026-03-01T10:00:00Z',
      LastOutcome: 'unschedulable',
      LastChosenTime: '',
      LastNominalTime: '2026-03-01T10:00:00Z',
      ActiveExecution: null,
    })
  })

  it('is said to be so only when that is on disk', async () => {
    const { krond } = await lived('0 10 * * *', '2026-03-01T10:30:00Z', 1)
    const { effects } = krond
    expect(effects.indexOf('syncFolder')).toBeLessThan(effects.indexOf('log missed_deadline'))
    expect(effects.indexOf('log trigger')).toBeLessThan(effects.indexOf('create'))
  })
})

describe('the decision of a period without a time', () => {
  it('says why there is none', async () => {
    const { krond } = await lived(
      '0 10 * * * @win(after,1h) @avoid(hours=10)',
      '2026-03-01T10:00:00Z',
      1,
    )
    const [decision] = krond.events('decision')
    expect(decision).toMatchObject({
      chosen_time: null,
      reason: expect.stringMatching(/no candidate/),
      constraints_applied: { avoid: ['hours=10'] },
    })
  })
})

describe('a daemon', () => {
  it.each<[string, string, VirtualRun]>([
    ['a job that fails', '0,5 10 * * *', { durationMs: 1000, exitCode: 3 }],
    ['a command that could not be executed in time', '0,5 10 * * *', { exec: 'fails' }],
    ['a period without a time', '0,5 10 * * * @avoid(between=10:00-10:04)', {}],
  ])('goes on after %s', async (_, schedule, first) => {
    const world = ({ nominal }: { nominal: number | null }): VirtualRun =>
      nominal === Date.parse('2026-03-01T10:00:00Z') ? first : { durationMs: 1000 }
    const krond = new VirtualKrond({ at: '2026-03-01T10:00:00Z', world })
    const { daemon } = await krond.start([sampleJob(schedule)])
    await krond.clock.advanceBy(6 * 60_000)
    expect(krond.executed.at(-1)).toBe('job 2026-03-01T10:05:00Z')
    expect(krond.events('completed').at(-1)).toMatchObject({ exit_code: 0 })
    expect(daemon.ready).toBe(true)
  })
})
