import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemError } from '@kron/core'
import { VirtualClock } from '@kron/runtime/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { runToEnd, sampleStart } from '../../../testing/process/sample-start.js'
import { isProcessAlive, processIdentity } from '../process-identity.js'
import { systemProcesses } from '../system-processes.js'

const folder = mkdtempSync(join(tmpdir(), 'kron-gate-'))
afterAll(() => rmSync(folder, { recursive: true }))

function executable(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

const job = sampleStart(['/bin/true'])
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Tells which sleeps have begun. */
class WatchedClock extends VirtualClock {
  readonly #sleeps: number[] = []

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.#sleeps.push(ms)
    return super.sleep(ms, signal)
  }

  async untilSlept(ms: number, times: number): Promise<void> {
    while (this.#sleeps.filter((slept) => slept === ms).length < times) await nextTurn()
  }
}

/** Time stands still, so that no limit is ever reached. */
const untimed = (shellPath: string) => systemProcesses({ shellPath, clock: new VirtualClock(0) })

describe('a gate that ends before it is ready', () => {
  it('is a failure of the machine, with how it ended and what it said', async () => {
    const shellPath = executable('ends', 'echo "found /opt/x" >&3; echo no room >&2; exit 3')
    const prepared = untimed(shellPath).prepare(job)
    await expect(prepared).rejects.toBeInstanceOf(SystemError)
    await expect(prepared).rejects.toMatchObject({
      message: 'the gate ended before it was ready: exit code 3, no room',
      details: { field: 'gate', value: null, status: { code: 3, signal: null } },
    })
  })

  it('is quoted with the first 500 characters that it said', async () => {
    const shellPath = executable('talks', 'printf "  %0600d" 0 >&2; exit 3')
    await expect(untimed(shellPath).prepare(job)).rejects.toMatchObject({
      message: `the gate ended before it was ready: exit code 3, ${'0'.repeat(500)}`,
    })
  })

  it('has its group left alone, whose number may be that of others by now', async () => {
    const [fifo, answer] = [join(folder, 'fifo'), join(folder, 'answer')]
    const left = `{ read -r line <${fifo}; mkdir ${answer}; } </dev/null >/dev/null 2>&1 3>&- &`
    const shellPath = executable('leaves', `mkfifo ${fifo}; ${left} exit 3`)
    await expect(untimed(shellPath).prepare(job)).rejects.toThrow('exit code 3')
    const asking = openSync(fifo, 'r+')
    writeSync(asking, 'still there?\n')
    while (!existsSync(answer)) await nextTurn()
    closeSync(asking)
    expect(existsSync(answer)).toBe(true)
  })
})

describe('a gate that is not ready in time', () => {
  it('is killed with all of its group, and reported with the limit', async () => {
    const seen = join(folder, 'deaf-child')
    const shellPath = executable(
      'deaf',
      `sleep 1000 & echo $! >${seen}.new; mv ${seen}.new ${seen}; wait`,
    )
    const clock = new WatchedClock(0)
    const prepared = systemProcesses({ shellPath, clock, limits: { readyMs: 7000 } }).prepare(job)
    const failure = prepared.catch((error: unknown) => error)
    await clock.untilSlept(7000, 1)
    while (!existsSync(seen)) await nextTurn()
    const child = processIdentity(Number(readFileSync(seen, 'utf8')))!
    await clock.advanceBy(6999)
    expect(isProcessAlive(child)).toBe(true)
    await clock.advanceBy(1)
    // What is left of it is given no time.
    expect(await failure).toMatchObject({
      code: 'KRON_SYSTEM',
      message: 'the gate was not ready within 7000 ms; a file system may not answer',
      details: { field: 'gate', value: '/bin/true', allowed: 'at most 7000 ms' },
    })
    while (isProcessAlive(child)) await nextTurn()
    expect(isProcessAlive(child)).toBe(false)
  })
})

describe('a gate that is released', () => {
  it('counts as a job when its exec takes longer than the limit', async () => {
    const script = 'echo ready >&3; read -r line <&3; echo going >&3; read -r line <&3; exit 5'
    const shellPath = executable('slow', script)
    const clock = new WatchedClock(0)
    const gate = await systemProcesses({ shellPath, clock, limits: { execMs: 7000 } }).prepare(job)
    const release = gate.release()
    // Once until it goes, and once for what it says then.
    await clock.untilSlept(7000, 2)
    await clock.advanceBy(7000)
    expect(await release).toEqual({ kind: 'running' })
    expect(await gate.exited).toEqual({ code: 5, signal: null })
  })

  it('is no job when it says something else than that it goes', async () => {
    const script = 'echo ready >&3; read -r line <&3; echo what >&3; read -r line <&3; exit 4'
    const gate = await untimed(executable('other', script)).prepare(job)
    expect(await gate.release()).toEqual({
      kind: 'not-executed',
      reason: 'the gate ended before it was released: exit code 4',
    })
    expect(await gate.exited).toEqual({ code: 4, signal: null })
  })

  it('has said how it failed, if at all, in a whole line', async () => {
    const opened = 'echo ready >&3; read -r line <&3; echo going >&3'
    for (const line of ['failed', 'failed x', 'not failed 126', 'failed 126 times']) {
      const shellPath = executable('says', `${opened}; echo "${line}" >&3; exit 6`)
      const report = await runToEnd(untimed(shellPath), job)
      expect(report).toMatchObject({ release: { kind: 'running' }, exit: { code: 6 } })
    }
  })

  it('has the first line of its job told after the release', async () => {
    const order: string[] = []
    const start = sampleStart(['/bin/echo', 'hello'], {}, { onLine: (_, line) => order.push(line) })
    const gate = await untimed('/bin/sh').prepare(start)
    await gate.release()
    order.push('released')
    await gate.exited
    expect(order).toEqual(['released', 'hello'])
  })
})

describe('a command that the gate finds', () => {
  it('is looked at in a folder of PATH, whatever letters that has', async () => {
    const path = mkdtempSync(join(folder, 'käse-'))
    writeFileSync(join(path, 'bare'), 'echo bare\n', { mode: 0o755 })
    const start = sampleStart(['bare'], { env: { PATH: `${path}:/bin` } })
    await expect(untimed('/bin/sh').prepare(start)).rejects.toThrow(
      'command "bare" can not be executed: it is neither a program nor a script',
    )
  })

  it('is looked at where PATH has a folder that begins at that of the job', async () => {
    const cwd = mkdtempSync(join(folder, 'own-'))
    writeFileSync(join(cwd, 'bare'), 'echo bare\n', { mode: 0o755 })
    const start = sampleStart(['bare'], { cwd, env: { PATH: './:/bin' } })
    await expect(untimed('/bin/sh').prepare(start)).rejects.toThrow('is neither a program')
  })

  it('is no file of the folder of the job when it is built into the shell', async () => {
    const cwd = mkdtempSync(join(folder, 'named-'))
    writeFileSync(join(cwd, 'umask'), 'echo bare\n', { mode: 0o755 })
    const start = sampleStart(['umask'], { cwd, env: { PATH: folder } })
    const { release } = await runToEnd(untimed('/bin/sh'), start)
    expect(release).toMatchObject({ kind: 'not-executed' })
  })
})

const openDescriptors = (): number => readdirSync('/proc/self/fd').length

it('leaves no descriptor open for a gate that is refused', async () => {
  const processes = untimed('/bin/sh')
  const refuse = async (): Promise<void> => {
    const start = sampleStart(['no-such-command'], { stdin: 'x' })
    await expect(processes.prepare(start)).rejects.toThrow('is in no folder')
    await nextTurn()
  }
  await refuse()
  const before = openDescriptors()
  for (let n = 0; n < 10; n++) await refuse()
  expect(openDescriptors()).toBeLessThanOrEqual(before)
})

it('reads no more of a gate that has ended, though something holds its output open', async () => {
  const fifo = join(folder, 'holding')
  spawnSync('mkfifo', [fifo])
  const shellPath = executable('held', `{ read -r line <${fifo}; } 3>&- & exit 3`)
  const processes = systemProcesses({ shellPath, limits: { drainMs: 1 } })
  await expect(untimed('/bin/false').prepare(job)).rejects.toThrow('exit code 1')
  const before = openDescriptors()
  await expect(processes.prepare(job)).rejects.toThrow('exit code 3')
  await nextTurn()
  expect(openDescriptors()).toBeLessThanOrEqual(before)
  writeFileSync(fifo, 'enough\n')
})
