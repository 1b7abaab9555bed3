import { SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { fieldsOf, VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import type { VirtualRun } from '../../testing/process/virtual-process.js'

const at = '2026-03-01T10:00:00Z'
const next = '2026-03-01T10:05:00Z'
const minute = 60_000
const hour = 60 * minute

function every5(concurrency: string, deadline = '0s', timeoutMs: number | null = null) {
  const policy = `@policy(concurrency=${concurrency},deadline=${deadline})`
  return sampleJob(`*/5 * * * * ${policy}`, { timeoutMs })
}

/** The first run of a job is as given, later ones take a minute. */
const firstRun =
  (first: VirtualRun) =>
  ({ nominal }: { nominal: number | null }): VirtualRun =>
    nominal === Date.parse(at) ? first : { durationMs: minute }

describe('concurrency=allow', () => {
  it('runs both, with the newest and the others on disk', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 12 * minute }) })
    const job = every5('allow')
    await krond.start([job])
    await krond.clock.advanceBy(10 * minute)
    expect(krond.stateOf(job)).toMatchObject({
      LastHandledPeriodID: '2026-03-01T10:10:00Z',
      ActiveExecution: { PeriodID: '2026-03-01T10:10:00Z', PID: 4 },
      OtherActive: [
        { PeriodID: at, PID: 2, StartTicks: 1 },
        { PeriodID: next, PID: 3, StartTicks: 2 },
      ],
    })
    await krond.clock.advanceBy(2 * minute)
    expect(krond.stateOf(job)).toMatchObject({
      ActiveExecution: { PID: 4 },
      OtherActive: [{ PID: 3 }],
      History: [{ PeriodID: at, ExitCode: 0 }],
    })
  })

  it('keeps an older one as active when the newest ends first', async () => {
    const krond = new VirtualKrond({ at, world: firstRun({ durationMs: 20 * minute }) })
    const job = every5('allow')
    await krond.start([job])
    await krond.clock.advanceBy(7 * minute)
    expect(krond.stateOf(job)).toMatchObject({
      LastHandledPeriodID: next,
      ActiveExecution: { PeriodID: at },
      OtherActive: [],
    })
  })
})

describe('concurrency=forbid', () => {
  it('skips while one runs, and runs again after it', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 7 * minute }) })
    await krond.start([every5('forbid')])
    await krond.clock.advanceBy(10 * minute)
    expect(krond.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:10:00Z'])
    expect(krond.happened()).toEqual(['started', 'skipped_concurrency', 'completed', 'started'])
  })

  it('lets a period run at whose second the one before has ended', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 5 * minute - 1 }) })
    await krond.start([every5('forbid')])
    await krond.clock.advanceBy(5 * minute)
    expect(krond.executed).toEqual([`job ${at}`, `job ${next}`])
  })
})

describe('concurrency=replace', () => {
  it('ends what runs with SIGTERM and starts', async () => {
    const krond = new VirtualKrond({ at, world: firstRun({}) })
    const job = every5('replace', '1m')
    await krond.start([job])
    await krond.clock.advanceBy(5 * minute)
    expect(krond.effects.filter((effect) => /^SIG/.test(effect))).toEqual(['SIGTERM'])
    expect(krond.happened()).toEqual(['started', 'completed', 'replaced', 'started'])
    expect(krond.events('completed')).toMatchObject([{ exit_code: null, signal: 'SIGTERM' }])
    expect(fieldsOf(krond.events('replaced')[0])).toEqual({
      level: 'info',
      event: 'replaced',
      identity: job.identity,
      period_id: next,
      replaced_period_id: at,
      pid: 2,
    })
    expect(krond.stateOf(job)).toMatchObject({
      ActiveExecution: { PeriodID: next, PID: 3 },
      OtherActive: [],
      History: [{ PeriodID: at, Outcome: 'executed', ExitCode: null }],
    })
  })

  it('ends all that runs, if an earlier policy has let several', async () => {
    const krond = new VirtualKrond({ at, world: () => ({}) })
    const { daemon } = await krond.start([every5('allow')])
    await krond.clock.advanceBy(6 * minute)
    await daemon.reload([every5('replace')])
    await krond.clock.advanceBy(5 * minute)
    expect(krond.events('replaced').map(({ pid }) => pid)).toEqual([2, 3])
    expect(krond.processes.running).toBe(1)
  })

  it('kills what ignores SIGTERM after the grace, and only then starts', async () => {
    const krond = new VirtualKrond({ at, world: firstRun({ ignoresTerm: true }) })
    await krond.start([every5('replace', '1m')], { graceMs: 3000 })
    await krond.clock.advanceBy(6 * minute)
    expect(krond.effects.filter((effect) => /^SIG/.test(effect))).toEqual(['SIGTERM', 'SIGKILL'])
    const [, second] = krond.processes.executed
    expect(second!.at).toBe(Date.parse(next) + 3000)
  })

  it.each<[string, string[], number]>([
    ['0s', ['SIGKILL'], 0],
    ['2s', ['SIGTERM', 'SIGKILL'], 2000],
  ])('gives it no more time than a deadline of %s leaves', async (deadline, signals, lateMs) => {
    const krond = new VirtualKrond({ at, world: firstRun({ ignoresTerm: true }) })
    await krond.start([every5('replace', deadline)], { graceMs: 3000 })
    await krond.clock.advanceBy(6 * minute)
    expect(krond.effects.filter((effect) => /^SIG/.test(effect))).toEqual(signals)
    const [, second] = krond.processes.executed
    expect(second!.at).toBe(Date.parse(next) + lateMs)
  })

  it('counts that time from the time that was chosen in a window', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ ignoresTerm: true }) })
    const job = sampleJob('*/5 * * * * @win(after,4m) @policy(concurrency=replace,deadline=2s)')
    await krond.start([job])
    await krond.clock.advanceBy(10 * minute)
    const [first, second] = krond.processes.executed
    const { chosenTime } = job.job.decide(second!.nominal!)
    // Later than the deadline after the nominal time, or this could not be told from it.
    expect(chosenTime! - second!.nominal!).toBeGreaterThan(2000)
    expect(krond.effects.filter((effect) => /^SIG/.test(effect))).toEqual(['SIGTERM', 'SIGKILL'])
    expect([first!.nominal, second!.at]).toEqual([Date.parse(at), chosenTime! + 2000])
  })

  it('does not start while it can not be ended: an error, tried again, then missed', async () => {
    const undying = { ignoresTerm: true, killMs: Number.POSITIVE_INFINITY }
    const krond = new VirtualKrond({ at, world: firstRun(undying) })
    const job = every5('replace', '40s')
    await krond.start([job])
    await krond.clock.advanceBy(5 * minute + 16_000)
    expect(krond.events('error')).toMatchObject([
      {
        level: 'error',
        identity: job.identity,
        period_id: next,
        operation: 'replace',
        error_type: 'ExecutionError',
        message: `process 2 of period ${at} does not end`,
      },
    ])
    expect(krond.stateOf(job)).toMatchObject({ LastHandledPeriodID: at })
    await krond.clock.advanceBy(2 * minute)
    const verdicts = krond.events('trigger').map(({ verdict }) => verdict)
    expect(verdicts).toEqual(['execute', 'execute', 'execute', 'execute', 'missed'])
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.stateOf(job)).toMatchObject({
      LastHandledPeriodID: next,
      LastOutcome: 'missed',
      ActiveExecution: { PeriodID: at, PID: 2 },
    })
  })
})

describe('a timeout', () => {
  it('ends the job as a replacement would', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ ignoresTerm: true }) })
    const job = every5('forbid', '0s', 30_000)
    await krond.start([job])
    await krond.clock.advanceBy(minute)
    expect(fieldsOf(krond.events('timed_out')[0])).toEqual({
      level: 'warn',
      event: 'timed_out',
      identity: job.identity,
      period_id: at,
      pid: 2,
      timeout_ms: 30_000,
    })
    expect(krond.events('completed')).toMatchObject([
      { time: '2026-03-01T10:00:40.000Z', signal: 'SIGKILL', exit_code: null, duration_ms: 40_000 },
    ])
    expect(krond.stateOf(job)).toMatchObject({ LastOutcome: 'executed', ActiveExecution: null })
  })

  it('does not concern a job that ends in time', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ durationMs: 29_999 }) })
    await krond.start([every5('forbid', '0s', 30_000)])
    await krond.clock.advanceBy(minute)
    expect(krond.events('timed_out')).toEqual([])
    expect(krond.effects.filter((effect) => /^SIG/.test(effect))).toEqual([])
  })

  it('that can not end the job is an error, and the job runs on', async () => {
    const krond = new VirtualKrond({ at, world: () => ({}) })
    const job = every5('forbid', '0s', 30_000)
    const { daemon } = await krond.start([job])
    krond.processes.signal = () => {
      throw new SystemError('KRON_SYSTEM', 'not allowed', { field: 'signal' })
    }
    await krond.clock.advanceBy(minute)
    expect(krond.events('error')).toMatchObject([
      { identity: job.identity, period_id: at, operation: 'end_process', message: 'not allowed' },
    ])
    expect([daemon.ready, daemon.runningCount]).toEqual([true, 1])
  })

  it('counts from the start of a process that a former daemon started', async () => {
    const krond = new VirtualKrond({ at, world: () => ({}) })
    const job = every5('forbid', '0s', 30_000)
    await krond.start([job])
    await krond.clock.advanceBy(20_000)
    krond.kill()
    await krond.start([job])
    await krond.clock.advanceBy(minute)
    expect(krond.events('timed_out')).toMatchObject([{ time: '2026-03-01T10:00:30.000Z' }])
  })

  it('is not made longer by a clock that was set back', async () => {
    const krond = new VirtualKrond({ at, world: () => ({}) })
    const job = every5('forbid', '0s', 30_000)
    await krond.start([job])
    krond.kill()
    krond.clock.step(-hour)
    await krond.start([job])
    await krond.clock.advanceBy(minute)
    expect(krond.events('timed_out')).toMatchObject([{ time: '2026-03-01T09:00:30.000Z' }])
    // Nor does anything take less than no time.
    expect(krond.events('completed')).toMatchObject([{ duration_ms: 0 }])
  })
})
