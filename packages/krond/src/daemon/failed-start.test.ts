import { backoffMs } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { sampleJob } from '../../testing/daemon/sample-job.js'
import { fieldsOf, VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import type { VirtualRun } from '../../testing/process/virtual-process.js'
import { attemptBackoff } from './period-handler.js'

const at = '2026-03-01T10:00:00Z'
const hourly = (deadline: string) => sampleJob(`0 * * * * @policy(deadline=${deadline})`)
const second = (time: string): number => (Date.parse(time) - Date.parse(at)) / 1000

const causes: readonly [string, VirtualRun, object][] = [
  [
    'has no process left',
    { prepare: 'transient' },
    { operation: 'start_process', error_type: 'SystemError' },
  ],
  [
    'does not have the command',
    { prepare: 'permanent' },
    { operation: 'start_process', error_type: 'ExecutionError' },
  ],
  ['can not execute it', { exec: 'fails' }, { operation: 'execute', error_type: 'ExecutionError' }],
]

describe.each(causes)('a start on a machine that %s', (_, failing, said) => {
  it('is tried again after 1, 2, 4, ... seconds until its deadline, then missed', async () => {
    const krond = new VirtualKrond({ at, world: () => failing })
    const job = hourly('10s')
    await krond.start([job])
    await krond.clock.advanceBy(60_000)
    const tried = krond.events('trigger').map(({ time, verdict }) => `${second(time)} ${verdict}`)
    expect(tried).toEqual(['0 execute', '1 execute', '3 execute', '7 execute', '11 missed'])
    const retries = krond.events('reschedule').map(fieldsOf)
    expect(retries.map(({ due }) => second(String(due)))).toEqual([1, 3, 7, 11])
    expect(retries[0]).toEqual({
      level: 'info',
      event: 'reschedule',
      identity: job.identity,
      period_id: at,
      due: '2026-03-01T10:00:01Z',
      reason: 'retry',
    })
    expect(krond.executed).toEqual([])
    expect(krond.processes.running).toBe(0)
    expect(krond.stateOf(job)).toMatchObject({
      LastHandledPeriodID: at,
      LastOutcome: 'missed',
      ActiveExecution: null,
      History: [{ Outcome: 'missed' }],
    })
  })

  it('is missed at the next second without a deadline', async () => {
    const krond = new VirtualKrond({ at, world: () => failing })
    await krond.start([hourly('0s')])
    await krond.clock.advanceBy(60_000)
    const tried = krond.events('trigger').map(({ time, verdict }) => `${second(time)} ${verdict}`)
    expect(tried).toEqual(['0 execute', '1 missed'])
    expect(krond.events('missed_deadline')).toMatchObject([{ reason: '1s late, deadline 0s' }])
  })

  it('logs an error with all that the error model demands', async () => {
    const krond = new VirtualKrond({ at, world: () => failing })
    const job = hourly('0s')
    await krond.start([job])
    const about = { identity: job.identity, period_id: at, level: 'error', component: 'krond' }
    expect(krond.events('error')).toMatchObject([{ ...about, ...said }])
    expect(krond.events('error')[0]!['message']).toMatch(/\w/)
  })

  it('leaves the period unhandled in between, and runs once the machine can', async () => {
    const world = ({ earlier }: { earlier: number }) =>
      earlier < 3 ? failing : { durationMs: 1000 }
    const krond = new VirtualKrond({ at, world })
    const job = hourly('1m')
    await krond.start([job])
    await krond.clock.advanceBy(6000)
    const state = krond.stateOf(job)
    expect(state === null || state['LastHandledPeriodID'] === '').toBe(true)
    await krond.clock.advanceBy(10_000)
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.processes.executed[0]!.at).toBe(Date.parse(at) + 7000)
    const decisions = krond.events('decision').map(({ period_id }) => period_id)
    expect(decisions).toEqual([at, '2026-03-01T11:00:00Z'])
  })

  it('begins with a second again for the next period', async () => {
    const krond = new VirtualKrond({ at, world: () => failing })
    await krond.start([hourly('10s')])
    await krond.clock.advanceBy(3_602_000)
    const retries = krond.events('reschedule').map(({ due }) => second(String(due)))
    expect(retries.slice(4)).toEqual([3601, 3603])
  })

  it('is not tried more often when its job is planned again', async () => {
    const krond = new VirtualKrond({ at, world: () => failing })
    const { daemon } = await krond.start([hourly('2m')])
    await krond.clock.advanceBy(8000)
    await daemon.reload([hourly('1m')])
    await krond.clock.advanceBy(22_000)
    const tried = krond.events('trigger').map(({ time }) => second(time))
    expect(tried).toEqual([0, 1, 3, 7, 8, 24])
  })

  it('does not hold up other jobs', async () => {
    const other = sampleJob('0 * * * *', { name: 'other' })
    const krond = new VirtualKrond({
      at,
      world: ({ identity }) => (identity === other.identity ? { durationMs: 1 } : failing),
    })
    await krond.start([hourly('1h'), other], { maxRunning: 1 })
    await krond.clock.advanceBy(0)
    expect(krond.executed).toEqual([`other ${at}`])
  })
})

describe('a command that is not there', () => {
  it('is missed at its deadline in every period, and never makes the next one late', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ exec: 'fails' }) })
    await krond.start([sampleJob('* * * * * @policy(deadline=50s)')])
    await krond.clock.advanceBy(3 * 60_000 - 1)
    const outcomes = krond
      .events('missed_deadline', 'skipped_superseded')
      .map(({ event, time }) => `${second(time)} ${event}`)
    expect(outcomes).toEqual(['51 missed_deadline', '111 missed_deadline', '171 missed_deadline'])
    const tried = krond.events('trigger').map(({ time, verdict }) => `${second(time)} ${verdict}`)
    expect(tried.slice(0, 8)).toEqual([
      '0 execute',
      '1 execute',
      '3 execute',
      '7 execute',
      '15 execute',
      '31 execute',
      '51 missed',
      '60 execute',
    ])
  })

  it('gives way to the next period where that comes before the deadline', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ exec: 'fails' }) })
    await krond.start([sampleJob('* * * * * @policy(deadline=5m)')])
    await krond.clock.advanceBy(2 * 60_000)
    const skipped = krond.events('skipped_superseded').map(({ time }) => second(time))
    expect(skipped).toEqual([60, 120])
  })
})

describe('a period that was given back', () => {
  it('is on disk as it was before, with what was handled before it', async () => {
    const world = ({ nominal }: { nominal: number | null }): VirtualRun =>
      nominal === Date.parse(at) ? { durationMs: 1000 } : { exec: 'fails' }
    const krond = new VirtualKrond({ at, world })
    const job = hourly('10m')
    await krond.start([job])
    await krond.clock.advanceBy(3_600_000)
    expect(krond.stateOf(job)).toMatchObject({
      LastHandledPeriodID: at,
      LastOutcome: 'executed',
      ActiveExecution: null,
      History: [{ PeriodID: at, ExitCode: 0 }],
    })
    krond.kill()
    await krond.start([job])
    expect(krond.events('recovered')).toEqual([])
    expect(krond.lines.at(-1)).toMatchObject({ event: 'reschedule', reason: 'retry' })
  })

  it('is given back before that is logged', async () => {
    const krond = new VirtualKrond({ at, world: () => ({ exec: 'fails' }) })
    await krond.start([hourly('10m')])
    const { effects } = krond
    expect(effects.slice(effects.indexOf('release'))).toEqual([
      'release',
      'create',
      'write',
      'sync',
      'close',
      'replace',
      'syncFolder',
      'log error',
      'log reschedule',
    ])
  })
})

it('waits twice as long after each failure, up to a minute', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((count) => backoffMs(attemptBackoff, count))
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
})
