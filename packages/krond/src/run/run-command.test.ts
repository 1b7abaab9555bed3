import { ConfigurationError, ExecutionError, type KronError } from '@kron/core'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { memoryHost } from '../../testing/command/memory-host.js'
import { type SampleSettings, sampleJob } from '../../testing/daemon/sample-job.js'
import type { VirtualRun } from '../../testing/process/virtual-process.js'
import { VirtualProcesses } from '../../testing/process/virtual-processes.js'
import { Invocation } from '../command/invocation.js'
import type { SignalHandlers } from '../control/signal-source.js'
import { runCommand } from './run-command.js'

const output = [
  { stream: 'stdout', line: 'hello' },
  { stream: 'stderr', line: 'oh' },
] as const

interface Wanted {
  readonly run?: VirtualRun
  readonly settings?: SampleSettings
  readonly format?: string
  readonly wanted?: string
  readonly problems?: readonly KronError[]
  /** When somebody presses Ctrl-C, or does something else. */
  readonly stopAfterMs?: number
  readonly how?: keyof SignalHandlers
}

async function ran(options: Wanted) {
  const { run = {}, settings = {}, format = 'text', wanted, problems = [] } = options
  const { stopAfterMs, how = 'stop' } = options
  const clock = new VirtualClock(Date.UTC(2026, 2, 1, 10, 0, 30))
  const processes = new VirtualProcesses({ clock, world: () => run })
  const host = memoryHost({ now: clock.now().getTime() })
  const invocation = new Invocation(host, { format, color: false }, 'krond')
  const jobs = [sampleJob('0 3 * * *', { name: 'backup', ...settings })]
  let subscribed = 0
  const subscribe = (handlers: SignalHandlers) => {
    subscribed++
    if (stopAfterMs !== undefined) void clock.sleep(stopAfterMs).then(handlers[how])
    return () => void subscribed--
  }
  const machine = { processes, clock, signals: { subscribe } }
  const exit = runCommand(invocation, { jobs, problems }, wanted ?? 'backup', machine)
  exit.catch(() => undefined)
  await clock.advanceBy(600_000)
  const { stdout, stderr } = host.output
  const { pending: sleeping } = clock
  const { executed } = processes
  return { exit, stdout, stderr, executed, sleeping, subscribed: () => subscribed }
}

describe('krond run', () => {
  it('runs the job outside of any period and passes its output on', async () => {
    const { exit, stdout, stderr, executed } = await ran({ run: { durationMs: 1000, output } })
    expect(await exit).toBe(0)
    expect([stdout, stderr]).toEqual(['hello\n', 'oh\n'])
    expect(executed).toMatchObject([{ identity: '/jobs.krontab:backup', nominal: null }])
  })

  it('has only the result on stdout with JSON', async () => {
    const { exit, stdout, stderr } = await ran({
      run: { durationMs: 1000, output, exitCode: 3 },
      format: 'json',
    })
    expect(await exit).toBe(4)
    expect(JSON.parse(stdout)).toEqual({
      identity: '/jobs.krontab:backup',
      exit_code: 3,
      signal: null,
    })
    expect(stderr).toBe('hello\noh\n')
  })

  it.each([
    ['exits with 3', { durationMs: 10, exitCode: 3 }, {}, 'krond: backup exited with 3\n'],
    ['is interrupted', {}, { stopAfterMs: 1000 }, 'krond: backup was ended by SIGTERM\n'],
    [
      'loses its terminal',
      {},
      { stopAfterMs: 1000, how: 'leave' },
      'krond: backup was ended by SIGTERM\n',
    ],
    [
      'is told to hang up',
      {},
      { stopAfterMs: 1000, how: 'reload' },
      'krond: backup was ended by SIGTERM\n',
    ],
    [
      'runs longer than its timeout',
      {},
      { settings: { timeoutMs: 60_000 } },
      'krond: backup was ended by SIGTERM\n',
    ],
    [
      'runs on after its timeout, whatever it is told',
      { ignoresTerm: true },
      { settings: { timeoutMs: 60_000 } },
      'krond: backup was ended by SIGKILL\n',
    ],
  ] as const)('says when the job %s, and ends with 4', async (_, run, wanted, complaint) => {
    const { exit, stderr, subscribed } = await ran({ run, ...wanted })
    expect(await exit).toBe(4)
    expect(stderr).toBe(complaint)
    expect(subscribed()).toBe(0)
  })

  it.each([
    ['does not have the command', { prepare: 'permanent' }],
    ['can not execute it', { exec: 'fails' }],
  ] as const)('fails on a machine that %s', async (_, run) => {
    const { exit, executed } = await ran({ run })
    await expect(exit).rejects.toBeInstanceOf(ExecutionError)
    expect(executed).toEqual([])
  })

  it('proposes the nearest name for one that does not exist', async () => {
    const { exit } = await ran({ wanted: 'bakup' })
    await expect(exit).rejects.toBeInstanceOf(ConfigurationError)
    await expect(exit).rejects.toMatchObject({
      code: 'KRON_JOB_UNKNOWN',
      message: expect.stringMatching(/^no job "bakup".*"?backup"?/),
    })
  })

  it.each(['broken', '/jobs.krontab:broken'])(
    'says what is wrong with a job that is invalid, and where: %s',
    async (wanted) => {
      const problem = (name: string, column: number): KronError =>
        new ConfigurationError('KRON_FIELD_UNKNOWN', `/jobs.krontab:2:${column}: nonsense`, {
          field: 'file',
          name,
          identity: `/jobs.krontab:${name}`,
        })
      const problems = [problem('broken', 5), problem('other', 7), problem('broken', 9)]
      const { exit, stderr, executed } = await ran({ wanted, problems })
      await expect(exit).rejects.toMatchObject({
        code: 'KRON_FIELD_UNKNOWN',
        message: `the job "${wanted}" has errors, so it is not run`,
        details: { hint: '  /jobs.krontab:2:5: nonsense\n  /jobs.krontab:2:9: nonsense' },
      })
      expect(stderr).toBe('krond: /jobs.krontab:2:7: nonsense\n')
      expect(executed).toEqual([])
    },
  )

  it('gives a job that is interrupted the usual grace, and no more', async () => {
    const stubborn = { ignoresTerm: true, durationMs: 10_900 }
    const { exit, stderr } = await ran({ run: stubborn, stopAfterMs: 1000 })
    expect([await exit, stderr]).toEqual([0, ''])
    const longer = await ran({ run: { ...stubborn, durationMs: 11_100 }, stopAfterMs: 1000 })
    expect(longer.stderr).toBe('krond: backup was ended by SIGKILL\n')
  })

  it('does not wait for the timeout of a job that has ended', async () => {
    const { exit, sleeping } = await ran({
      run: { durationMs: 1000 },
      settings: { timeoutMs: 3_600_000 },
    })
    expect([await exit, sleeping]).toEqual([0, 0])
  })

  it('takes an identity too', async () => {
    const { exit } = await ran({ run: { durationMs: 1 }, wanted: '/jobs.krontab:backup' })
    expect(await exit).toBe(0)
  })
})

describe('krond run with a name that several jobs have', () => {
  it('names them', async () => {
    const job = sampleJob('0 3 * * *', { name: 'backup' })
    const other = { ...job, identity: '/other.krontab:backup' }
    const clock = new VirtualClock(0)
    const machine = {
      processes: new VirtualProcesses({ clock, world: () => ({}) }),
      signals: { subscribe: () => () => {} },
      clock,
    }
    const invocation = new Invocation(memoryHost({ now: 0 }), { format: 'text', color: false })
    const exit = runCommand(invocation, { jobs: [job, other], problems: [] }, 'backup', machine)
    await expect(exit).rejects.toMatchObject({
      message: '2 jobs have the name "backup"',
      details: { hint: expect.stringContaining('/other.krontab:backup') },
    })
  })
})
