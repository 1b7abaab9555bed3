import { ExecutionError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import type { Gate, Processes, StartRequest } from '../../src/process/processes.js'
import type { ProcessIdentity } from '../../src/state/index.js'

/** Jobs that every kind of processes must be able to play. */
export type JobUnderTest =
  | { readonly kind: 'exits'; readonly code: number }
  | { readonly kind: 'stays' }
  /** Writes `ignoring` to stdout once SIGTERM does not end it any more. */
  | { readonly kind: 'ignores-term' }
  /** The gate is ready, but the command can't be executed. */
  | { readonly kind: 'not-executable' }
  /** There will be no gate. */
  | { readonly kind: 'missing' }

export interface ProcessesUnderTest {
  readonly processes: Processes
  start(job: JobUnderTest, onLine?: StartRequest['onLine']): StartRequest
  /** How many jobs were executed. */
  executions(): number
  /** Lets time pass until the work has ended, and answers as the work did. */
  passTime<T>(work: Promise<T>): Promise<T>
}

type Create = () => ProcessesUnderTest

/** What all processes must do: never run what was not released, and tell truly what ran. */
export function describeProcesses(name: string, create: Create): void {
  describe(`${name} as processes`, () => {
    describeGate(create)
    describeFailures(create)
    describeLife(create)
    describeSignals(create)
  })
}

function describeGate(create: Create): void {
  it('have executed nothing while a gate waits', async () => {
    const { processes, start, executions, passTime } = create()
    const gate = await passTime(processes.prepare(start({ kind: 'exits', code: 0 })))
    expect(processes.isAlive(gate.process)).toBe(true)
    expect(executions()).toBe(0)
    gate.abandon()
    await passTime(gate.exited)
    expect(executions()).toBe(0)
    expect(processes.isAlive(gate.process)).toBe(false)
  })

  it.each([0, 1, 3, 126, 127, 255])(
    'run a released job and tell that it ended with %d',
    async (code) => {
      const { processes, start, executions, passTime } = create()
      const gate = await passTime(processes.prepare(start({ kind: 'exits', code })))
      expect(await passTime(gate.release())).toEqual({ kind: 'running' })
      expect(await passTime(gate.exited)).toEqual({ code, signal: null })
      expect(executions()).toBe(1)
      expect(processes.isAlive(gate.process)).toBe(false)
    },
  )

  it('run a job once, however often it is released', async () => {
    const { processes, start, executions, passTime } = create()
    const gate = await passTime(processes.prepare(start({ kind: 'exits', code: 0 })))
    const releases = [gate.release(), gate.release()]
    await passTime(gate.exited)
    releases.push(gate.release())
    for (const release of releases) expect(await release).toEqual({ kind: 'running' })
    expect(executions()).toBe(1)
  })

  it('do not let a job be abandoned', async () => {
    const { processes, start, executions, passTime } = create()
    const gate = await passTime(processes.prepare(start({ kind: 'exits', code: 4 })))
    const release = gate.release()
    gate.abandon()
    expect(await passTime(release)).toEqual({ kind: 'running' })
    expect(await passTime(gate.exited)).toEqual({ code: 4, signal: null })
    expect(executions()).toBe(1)
  })

  it('keep starts apart', async () => {
    const { processes, start, executions, passTime } = create()
    const codes = [0, 1, 2, 3, 4, 5]
    const gates = await passTime(
      Promise.all(codes.map((code) => processes.prepare(start({ kind: 'exits', code })))),
    )
    expect(new Set(gates.map((gate) => gate.process.pid)).size).toBe(codes.length)
    await passTime(Promise.all(gates.map((gate) => gate.release())))
    const exits = await passTime(Promise.all(gates.map((gate) => gate.exited)))
    expect(exits.map(({ code }) => code)).toEqual(codes)
    expect(executions()).toBe(codes.length)
  })
}

function describeFailures(create: Create): void {
  it('do not release an abandoned gate', async () => {
    const { processes, start, executions, passTime } = create()
    const gate = await passTime(processes.prepare(start({ kind: 'exits', code: 0 })))
    gate.abandon()
    gate.abandon()
    expect(await passTime(gate.release())).toMatchObject({ kind: 'not-executed' })
    await passTime(gate.exited)
    expect(executions()).toBe(0)
  })

  it('tell that a job was not executed, and why', async () => {
    const { processes, start, executions, passTime } = create()
    const gate = await passTime(processes.prepare(start({ kind: 'not-executable' })))
    const release = await passTime(gate.release())
    expect(release).toMatchObject({ kind: 'not-executed', reason: expect.stringMatching(/.{5}/) })
    await passTime(gate.exited)
    expect(processes.isAlive(gate.process)).toBe(false)
    expect(executions()).toBe(0)
  })

  it('refuse a gate for what does not exist', async () => {
    const { processes, start, executions, passTime } = create()
    const prepared = passTime(processes.prepare(start({ kind: 'missing' })))
    await expect(prepared).rejects.toBeInstanceOf(ExecutionError)
    await expect(prepared).rejects.toMatchObject({ code: 'KRON_EXECUTION' })
    expect(executions()).toBe(0)
  })

  it('do not release a gate that was killed', async () => {
    const { processes, start, executions, passTime } = create()
    const gate = await passTime(processes.prepare(start({ kind: 'exits', code: 0 })))
    expect(processes.signal(gate.process, 'SIGKILL')).toBe(true)
    expect(await passTime(gate.exited)).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await passTime(gate.release())).toMatchObject({ kind: 'not-executed' })
    expect(executions()).toBe(0)
  })
}

async function running(
  { processes, start, passTime }: ProcessesUnderTest,
  job: JobUnderTest,
): Promise<Gate> {
  const gate = await passTime(processes.prepare(start(job)))
  expect(await passTime(gate.release())).toEqual({ kind: 'running' })
  return gate
}

function describeLife(create: Create): void {
  it('know a process by more than its number', async () => {
    const subject = create()
    const { processes, passTime } = subject
    const gate = await running(subject, { kind: 'stays' })
    const { pid, startTicks, bootId } = gate.process
    const others: ProcessIdentity[] = [
      { pid, startTicks: startTicks! + 1, bootId },
      { pid, startTicks: startTicks! - 1, bootId: null },
      { pid, startTicks, bootId: '11111111-1111-4111-8111-111111111111' },
    ]
    for (const other of others) {
      expect(processes.isAlive(other)).toBe(false)
      expect(processes.signal(other, 'SIGKILL')).toBe(false)
    }
    expect(processes.isAlive(gate.process)).toBe(true)
    expect(processes.isAlive({ pid, startTicks: null, bootId: null })).toBe(true)
    expect(processes.signal({ pid, startTicks: null, bootId: null }, 'SIGKILL')).toBe(true)
    await passTime(gate.exited)
  })
}

function describeSignals(create: Create): void {
  it.each(['SIGTERM', 'SIGKILL'] as const)('end a job with %s', async (signal) => {
    const subject = create()
    const gate = await running(subject, { kind: 'stays' })
    expect(subject.processes.signal(gate.process, signal)).toBe(true)
    expect(await subject.passTime(gate.exited)).toEqual({ code: null, signal })
    expect(subject.processes.isAlive(gate.process)).toBe(false)
    expect(subject.processes.signal(gate.process, signal)).toBe(false)
  })

  it('let a job ignore SIGTERM but not SIGKILL', async () => {
    const { processes, start, passTime } = create()
    let onReady = (): void => {}
    const ignoring = new Promise<void>((resolve) => {
      onReady = resolve
    })
    const job = start({ kind: 'ignores-term' }, (stream, line) => {
      if (stream === 'stdout' && line === 'ignoring') onReady()
    })
    const gate = await passTime(processes.prepare(job))
    await passTime(gate.release())
    await passTime(ignoring)
    expect(processes.signal(gate.process, 'SIGTERM')).toBe(true)
    expect(processes.isAlive(gate.process)).toBe(true)
    expect(processes.signal(gate.process, 'SIGKILL')).toBe(true)
    expect(await passTime(gate.exited)).toEqual({ code: null, signal: 'SIGKILL' })
  })
}
