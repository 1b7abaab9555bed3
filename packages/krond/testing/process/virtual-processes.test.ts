import { ExecutionError, SystemError } from '@kron/core'
import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import type { Gate, StartRequest } from '../../src/process/processes.js'
import { describeProcesses, type JobUnderTest } from './processes-conformance.js'
import { sampleStart } from './sample-start.js'
import type { VirtualRun, VirtualStart } from './virtual-process.js'
import { VirtualProcesses, type VirtualProcessesOptions } from './virtual-processes.js'

const startedAt = Date.UTC(2026, 2, 1)
const noLine = (): void => {}

function startOf(identity: string, nominal: number | null): StartRequest {
  const period = nominal === null ? null : { nominal, chosen: nominal }
  return sampleStart(['/bin/true'], {}, { identity, period })
}

function runOf(job: JobUnderTest): VirtualRun {
  switch (job.kind) {
    case 'exits':
      return { durationMs: 50, exitCode: job.code }
    case 'stays':
      return {}
    case 'ignores-term':
      return { ignoresTerm: true, killMs: 100, output: [{ stream: 'stdout', line: 'ignoring' }] }
    case 'not-executable':
      return { exec: 'fails' }
    case 'missing':
      return { prepare: 'permanent' }
  }
}

describeProcesses('virtual processes', () => {
  const clock = new VirtualClock(startedAt)
  const jobs = new Map<string, JobUnderTest>()
  const world = ({ identity }: VirtualStart): VirtualRun => runOf(jobs.get(identity)!)
  const processes = new VirtualProcesses({ clock, world })
  return {
    processes,
    start(job, onLine = noLine) {
      const identity = `job ${jobs.size}`
      jobs.set(identity, job)
      return { ...startOf(identity, startedAt), onLine }
    },
    executions: () => processes.executed.length,
    async passTime(work) {
      await Promise.allSettled([work, clock.runUntilIdle()])
      return work
    },
  }
})

function machine(world: VirtualProcessesOptions['world'], highestPid?: number) {
  const clock = new VirtualClock(startedAt)
  const options = { clock, world, ...(highestPid !== undefined && { highestPid }) }
  return { clock, processes: new VirtualProcesses(options) }
}

/** Whether the promise is settled once all that is ready has run. */
async function isSettled(promise: Promise<unknown>, clock: VirtualClock): Promise<boolean> {
  let settled = false
  const note = (): void => {
    settled = true
  }
  promise.then(note, note)
  await clock.advanceBy(86_400_000)
  return settled
}

async function released(processes: VirtualProcesses, start: StartRequest): Promise<Gate> {
  const gate = await processes.prepare(start)
  await gate.release()
  return gate
}

describe('virtual processes', () => {
  it('note what was executed, when, and as which process', async () => {
    const { clock, processes } = machine(() => ({ durationMs: 1000 }))
    await clock.advanceBy(5000)
    const gate = await released(processes, startOf('a', startedAt))
    await released(processes, startOf('b', null))
    expect(processes.executed).toEqual([
      { identity: 'a', nominal: startedAt, pid: gate.process.pid, at: startedAt + 5000 },
      { identity: 'b', nominal: null, pid: gate.process.pid + 1, at: startedAt + 5000 },
    ])
    expect(processes.running).toBe(2)
    await clock.advanceBy(999)
    expect(processes.running).toBe(2)
    await clock.advanceBy(1)
    expect(processes.running).toBe(0)
  })

  it('ask the world for each attempt at a period', async () => {
    const asked: VirtualStart[] = []
    const outcomes = ['transient', 'permanent', 'works'] as const
    const { processes } = machine((start) => {
      asked.push(start)
      return { prepare: outcomes[start.earlier]! }
    })
    const start = startOf('a', 60_000)
    await expect(processes.prepare(start)).rejects.toBeInstanceOf(SystemError)
    await expect(processes.prepare(start)).rejects.toBeInstanceOf(ExecutionError)
    await processes.prepare(start)
    expect(asked).toEqual([0, 1, 2].map((earlier) => ({ identity: 'a', nominal: 60_000, earlier })))
    expect(processes.executed).toEqual([])
  })

  it('let gates die and jobs live when the daemon crashes', async () => {
    const { clock, processes } = machine(() => ({ durationMs: 5000, exitCode: 1 }))
    const job = await released(processes, startOf('job', startedAt))
    const gate = await processes.prepare(startOf('gate', startedAt))
    processes.crash()
    expect(processes.isAlive(job.process)).toBe(true)
    expect(processes.isAlive(gate.process)).toBe(false)
    expect(await isSettled(job.exited, clock)).toBe(false)
    expect(await isSettled(gate.exited, clock)).toBe(false)
    expect(processes.isAlive(job.process)).toBe(false)
    expect(processes.executed.map(({ identity }) => identity)).toEqual(['job'])
  })

  it('settle nothing that a daemon waited for when it crashed', async () => {
    const { clock, processes } = machine(() => ({ output: [{ stream: 'stdout', line: 'late' }] }))
    const lines: string[] = []
    const onLine = (_: string, line: string): void => void lines.push(line)
    const gate = await processes.prepare({ ...startOf('a', startedAt), onLine })
    const waiting = [gate.release(), processes.prepare(startOf('b', startedAt))]
    processes.crash()
    waiting.push(gate.release())
    for (const promise of waiting) expect(await isSettled(promise, clock)).toBe(false)
    expect(lines).toEqual([])
    expect(processes.executed).toHaveLength(1)
  })

  it('can not be released by a daemon that is dead', async () => {
    const { clock, processes } = machine(() => ({}))
    const gate = await processes.prepare(startOf('a', startedAt))
    processes.crash()
    await isSettled(gate.release(), clock)
    expect(processes.executed).toEqual([])
  })

  it('are signalled by the next daemon', async () => {
    const { processes } = machine(() => ({}))
    const { process } = await released(processes, startOf('a', startedAt))
    processes.crash()
    expect(processes.signal(process, 'SIGTERM')).toBe(true)
    expect(processes.isAlive(process)).toBe(false)
  })

  it('may take their time to die, or never do', async () => {
    const killMs = { slow: 30_000, undying: Number.POSITIVE_INFINITY }
    const { clock, processes } = machine(({ identity }) => ({
      killMs: killMs[identity as keyof typeof killMs],
    }))
    const slow = await released(processes, startOf('slow', startedAt))
    const undying = await released(processes, startOf('undying', startedAt))
    for (const gate of [slow, undying]) processes.signal(gate.process, 'SIGKILL')
    await clock.advanceBy(29_999)
    expect(processes.isAlive(slow.process)).toBe(true)
    await clock.advanceBy(1)
    expect(processes.isAlive(slow.process)).toBe(false)
    await clock.advanceBy(86_400_000)
    expect(processes.isAlive(undying.process)).toBe(true)
  })

  it('use their numbers again, for processes that are not the same', async () => {
    const { processes } = machine(() => ({}), 3)
    const first = await released(processes, startOf('a', 1))
    const second = await released(processes, startOf('a', 2))
    await expect(processes.prepare(startOf('a', 3))).rejects.toBeInstanceOf(SystemError)
    processes.signal(first.process, 'SIGKILL')
    const third = await released(processes, startOf('a', 4))
    expect(third.process.pid).toBe(first.process.pid)
    expect(processes.isAlive(first.process)).toBe(false)
    expect(processes.isAlive(third.process)).toBe(true)
    expect(processes.isAlive(second.process)).toBe(true)
  })
})
