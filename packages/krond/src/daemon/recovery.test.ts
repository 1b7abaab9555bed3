import { IncompatibleStateError, PersistenceError, SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { alteredEngine, sampleJob } from '../../testing/daemon/sample-job.js'
import { fieldsOf, statePath, VirtualKrond } from '../../testing/daemon/virtual-krond.js'
import type { Processes } from '../process/index.js'

const at = '2026-03-01T10:00:00Z'
const minute = 60_000
const job = sampleJob('*/5 * * * * @policy(deadline=1h)')
const about = { identity: job.identity, period_id: at, level: 'info' }

/** A daemon that started the job at ten and was killed then; its job runs for so long. */
async function killed(durationMs: number, highestPid?: number): Promise<VirtualKrond> {
  const krond = new VirtualKrond({ at, world: () => ({ durationMs }), highestPid })
  await krond.start([job])
  krond.kill()
  return krond
}

/** Changes bytes of the state file by its text. */
function edit(krond: VirtualKrond, change: (text: string) => string): void {
  const path = statePath(job)
  const text = new TextDecoder().decode(krond.disk.read(path))
  krond.disk.plant(path, { bytes: new TextEncoder().encode(change(text)) })
}

describe('an execution that a former daemon started', () => {
  it('is completed with an unknown exit code when its process is gone', async () => {
    const krond = await killed(minute)
    await krond.clock.advanceBy(2 * minute)
    const before = krond.lines.length
    await krond.start([job])
    expect(fieldsOf(krond.lines[before])).toEqual({
      ...about,
      event: 'recovered',
      pid: 2,
      alive: false,
    })
    expect(krond.stateOf(job)).toMatchObject({
      LastHandledPeriodID: at,
      LastOutcome: 'executed',
      ActiveExecution: null,
      History: [{ PeriodID: at, Outcome: 'executed', ExitCode: null }],
    })
    expect(krond.executed).toEqual([`job ${at}`])
  })

  it('is watched when its process lives, and its end recorded', async () => {
    const krond = await killed(3 * minute)
    const before = krond.lines.length
    const { daemon } = await krond.start([job])
    expect(daemon.runningCount).toBe(1)
    expect(krond.stateOf(job)).toMatchObject({ ActiveExecution: { PID: 2 } })
    await krond.clock.advanceBy(4 * minute)
    expect(krond.happened(before)).toEqual(['recovered', 'completed'])
    expect(krond.events('completed')).toMatchObject([
      { ...about, pid: 2, exit_code: null, signal: null },
    ])
    // Nobody tells when a process of another daemon ends: it is looked at now and then.
    const [{ duration_ms: seen }] = krond.events('completed') as unknown as [
      { duration_ms: number },
    ]
    expect(seen).toBeGreaterThanOrEqual(3 * minute)
    expect(seen).toBeLessThanOrEqual(3 * minute + 5000)
    expect(krond.stateOf(job)).toMatchObject({
      ActiveExecution: null,
      History: [{ PeriodID: at, ExitCode: null }],
    })
    expect(krond.executed).toEqual([`job ${at}`])
  })

  it('counts for the policy of the next period', async () => {
    const krond = await killed(7 * minute)
    await krond.start([job])
    await krond.clock.advanceBy(5 * minute)
    expect(krond.events('skipped_concurrency')).toMatchObject([
      { period_id: '2026-03-01T10:05:00Z' },
    ])
  })

  it('can be replaced', async () => {
    const krond = await killed(Number.POSITIVE_INFINITY)
    await krond.start([sampleJob('*/5 * * * * @policy(concurrency=replace)')])
    await krond.clock.advanceBy(6 * minute)
    // It is looked at when it was told to end, not only when its turn has come.
    expect(krond.events('replaced')).toMatchObject([
      { replaced_period_id: at, pid: 2, time: '2026-03-01T10:05:00.000Z' },
    ])
  })

  it('has ended when the last of its output is in the log', async () => {
    const krond = await killed(minute)
    const { promise: drained, resolve: drain } = Promise.withResolvers<void>()
    krond.processes.resumeOutput = () => () => drained
    await krond.start([job])
    await krond.clock.advanceBy(4 * minute)
    expect(krond.events('completed')).toEqual([])
    drain()
    await krond.clock.advanceBy(0)
    expect(krond.events('completed')).toMatchObject([{ period_id: at, exit_code: null }])
  })

  it('has what it wrote in the log, whether it still lives or not', async () => {
    for (const minutes of [0.5, 3]) {
      const krond = await killed(minutes * minute)
      await krond.clock.advanceBy(minute)
      const resumed: unknown[] = []
      const processes: Processes = krond.processes
      processes.resumeOutput = (owner) => {
        resumed.push(owner)
        return () => Promise.resolve()
      }
      await krond.start([job])
      expect(resumed).toEqual([{ identity: job.identity, nominal: Date.parse(at) }])
    }
  })

  it('is not mistaken for another process with its number', async () => {
    const krond = await killed(minute, 3)
    await krond.clock.advanceBy(2 * minute)
    // Numbers go 2, 3, 2: the third process has that of the first.
    const { settings, identity, name } = job
    const request = { identity, name, settings, period: null, onLine: () => {} }
    await krond.processes.prepare(request)
    const third = await krond.processes.prepare(request)
    expect(third.process).toMatchObject({ pid: 2, startTicks: 3 })
    await krond.start([job])
    expect(krond.events('recovered')).toMatchObject([{ pid: 2, alive: false }])
    expect(krond.processes.isAlive(third.process)).toBe(true)
    expect(krond.effects.filter((effect) => /^SIG/.test(effect))).toEqual([])
  })

  it('is taken up when its job was away for a while', async () => {
    const krond = await killed(20 * minute)
    await krond.start([])
    await krond.clock.advanceBy(minute)
    expect(krond.events('recovered')).toEqual([])
    krond.kill()
    await krond.start([job])
    expect(krond.events('recovered')).toMatchObject([{ alive: true, period_id: at }])
    expect(krond.executed).toEqual([`job ${at}`])
  })

  it('is one of several under concurrency=allow', async () => {
    const allowed = sampleJob('*/5 * * * * @policy(concurrency=allow)')
    const world = ({ nominal }: { nominal: number | null }) =>
      nominal === Date.parse(at) ? { durationMs: 6 * minute } : {}
    const krond = new VirtualKrond({ at, world })
    await krond.start([allowed])
    await krond.clock.advanceBy(5 * minute)
    krond.kill()
    await krond.clock.advanceBy(2 * minute)
    const { daemon } = await krond.start([allowed])
    expect(krond.events('recovered')).toMatchObject([
      { pid: 2, alive: false },
      { pid: 3, alive: true },
    ])
    expect(daemon.runningCount).toBe(1)
    expect(krond.stateOf(allowed)).toMatchObject({
      ActiveExecution: { PID: 3 },
      OtherActive: [],
      History: [{ PeriodID: at, ExitCode: null }],
    })
  })
})

describe('an execution of a period that its state does not have as handled', () => {
  /** As the order of the specification leaves it: what is handled is written at the end. */
  async function recordedAsRunning(durationMs: number, downMs: number): Promise<VirtualKrond> {
    const krond = await killed(durationMs)
    edit(krond, (text) => {
      const { Checksum: _, ...fields } = JSON.parse(text) as Record<string, unknown>
      const before = '2026-03-01T09:55:00Z'
      const last = { LastHandledPeriodID: before, LastNominalTime: before, LastChosenTime: before }
      return JSON.stringify({ ...fields, ...last })
    })
    await krond.clock.advanceBy(downMs)
    await krond.start([job])
    return krond
  }

  it.each([
    ['is gone', minute, 2 * minute],
    ['still runs', 4 * minute, minute],
  ])('keeps the period from being executed again when it %s', async (_, durationMs, downMs) => {
    const krond = await recordedAsRunning(durationMs, downMs)
    await krond.clock.advanceBy(2.5 * minute)
    expect(krond.executed).toEqual([`job ${at}`])
    expect(krond.happened()).not.toContain('skipped_concurrency')
    await krond.clock.advanceBy(2 * minute)
    expect(krond.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:05:00Z'])
    expect(krond.stateOf(job)!['History']).toContainEqual(
      expect.objectContaining({ PeriodID: at, Outcome: 'executed', ExitCode: null }),
    )
  })

  it('is on disk as handled with the first write', async () => {
    const krond = await recordedAsRunning(minute, 2 * minute)
    expect(krond.stateOf(job)).toMatchObject({
      LastHandledPeriodID: at,
      LastOutcome: 'executed',
      LastNominalTime: at,
      LastChosenTime: at,
      ActiveExecution: null,
    })
  })
})

describe('a process that can not be told from others', () => {
  it('keeps the daemon from starting, and nothing is scheduled', async () => {
    const krond = await killed(minute)
    const { processes } = krond
    const failure = new SystemError('KRON_SYSTEM', 'processes can not be told apart', {
      field: 'process',
    })
    processes.isAlive = () => {
      throw failure
    }
    const before = krond.lines.length
    const { ended } = await krond.start([job])
    await krond.clock.advanceBy(10 * minute)
    expect(await ended).toMatchObject({
      category: 'SystemError',
      details: { identity: job.identity, period_id: at },
    })
    expect(krond.lines.slice(before)).toEqual([])
    expect(krond.executed).toEqual([`job ${at}`])
  })
})

describe('after downtime', () => {
  it('only the current period is evaluated, however many have passed', async () => {
    const krond = await killed(minute)
    await krond.clock.advanceBy(30 * 24 * 60 * minute + 2 * minute)
    const before = krond.lines.length
    await krond.start([job])
    await krond.clock.advanceBy(minute)
    expect(krond.executed).toEqual([`job ${at}`, 'job 2026-03-31T10:00:00Z'])
    const handled = krond.lines.slice(before).filter(({ event }) => event === 'trigger')
    expect(handled).toHaveLength(1)
  })

  it.each([0, 1, 10])(
    'history of %i entries makes no difference to what is executed',
    async (kept) => {
      const krond = new VirtualKrond({ at, world: () => ({ durationMs: minute }) })
      for (let life = 0; life < 4; life++) {
        await krond.start([job], { historyLength: kept })
        await krond.clock.advanceBy(7 * minute)
        krond.kill()
        krond.clock.step(-4 * minute)
      }
      expect(krond.stateOf(job)!['History']).toHaveLength(Math.min(kept, 4))
      const minutes = ['00', '05', '10', '15'].slice(0, krond.executed.length)
      expect(krond.executed).toEqual(minutes.map((past) => `job 2026-03-01T10:${past}:00Z`))
      expect(krond.executed).toHaveLength(4)
    },
  )

  it('a period that was handled is not handled again', async () => {
    const krond = await killed(minute)
    await krond.clock.advanceBy(2 * minute)
    for (let life = 0; life < 3; life++) {
      await krond.start([job])
      krond.kill()
    }
    expect(krond.executed).toEqual([`job ${at}`])
  })

  it('a state that is newer than now keeps its periods handled', async () => {
    const krond = await killed(minute)
    krond.clock.step(-3 * 60 * minute)
    await krond.start([job])
    await krond.clock.advanceBy(3 * 60 * minute - 1)
    expect(krond.executed).toEqual([`job ${at}`])
    await krond.clock.advanceBy(5 * minute + 1)
    expect(krond.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:05:00Z'])
  })
})

describe('a state file that can not be read', () => {
  it('is kept under another name, and the current period counts as handled', async () => {
    const krond = await killed(minute)
    await krond.clock.advanceBy(7 * minute)
    edit(krond, (text) => text.slice(0, 40))
    const before = krond.lines.length
    await krond.start([job])
    await krond.clock.advanceBy(2 * minute)
    const period_id = '2026-03-01T10:05:00Z'
    const [lost] = krond.events('state_lost')
    expect(fieldsOf(lost)).toEqual({
      level: 'error',
      event: 'state_lost',
      identity: job.identity,
      period_id,
      error_type: 'PersistenceError',
      operation: 'read_state',
      message: 'the state of the job is lost: it is not JSON',
      moved_to: expect.stringMatching(/^\/state\/[0-9a-f]{64}\.json\.corrupt\./),
    })
    expect(krond.disk.inspect(String(lost!['moved_to']))).toMatchObject({ size: 40 })
    expect(krond.stateOf(job)).toMatchObject({ LastHandledPeriodID: period_id })
    expect(krond.happened(before)).toEqual(['state_lost'])
    await krond.clock.advanceBy(minute)
    expect(krond.executed).toEqual([`job ${at}`, 'job 2026-03-01T10:10:00Z'])
  })

  it('counts nothing as handled when no period can have been', async () => {
    const krond = await killed(minute)
    edit(krond, (text) => text.slice(0, 40))
    await krond.start([alteredEngine(job, { currentPeriod: () => null })])
    const [lost] = krond.events('state_lost')
    expect(lost).toMatchObject({ identity: job.identity, period_id: null })
    expect(krond.stateOf(job)).toMatchObject({ LastHandledPeriodID: '', LastOutcome: '' })
  })

  it('ends the daemon when its replacement can not be written', async () => {
    const krond = await killed(minute)
    await krond.clock.advanceBy(7 * minute)
    edit(krond, (text) => text.slice(0, 40))
    const fault = { of: 'write', fault: { kind: 'refused', code: 'ENOSPC' }, call: 1 } as const
    const { ended } = await krond.start([job], { fault })
    const concern = { identity: job.identity, period_id: '2026-03-01T10:05:00Z' }
    expect(await ended).toMatchObject({ category: 'PersistenceError', details: concern })
    expect(krond.events('state_lost')).toEqual([])
    expect(krond.disk.inspect(statePath(job))).toMatchObject({ size: 40 })
  })

  it('ends the daemon when it can not be kept either, and nothing is scheduled', async () => {
    const krond = await killed(minute)
    await krond.clock.advanceBy(7 * minute)
    edit(krond, (text) => text.slice(0, 40))
    const before = krond.lines.length
    const fault = { of: 'link', fault: { kind: 'refused', code: 'ENOSPC' }, call: 1 } as const
    const { ended } = await krond.start([job], { fault })
    expect(await ended).toBeInstanceOf(PersistenceError)
    expect(krond.lines.slice(before)).toEqual([])
    expect(krond.disk.inspect(statePath(job))).toMatchObject({ size: 40 })
  })

  it('of an unknown version is refused, and nothing is scheduled', async () => {
    const krond = await killed(minute)
    await krond.clock.advanceBy(7 * minute)
    edit(krond, (text) => {
      const { Checksum: _, ...fields } = JSON.parse(text) as Record<string, unknown>
      return JSON.stringify({ ...fields, Version: '99' })
    })
    const before = krond.lines.length
    const { ended } = await krond.start([sampleJob('* * * * *', { name: 'other' }), job])
    expect(await ended).toBeInstanceOf(IncompatibleStateError)
    expect(krond.lines.slice(before)).toEqual([])
  })
})
