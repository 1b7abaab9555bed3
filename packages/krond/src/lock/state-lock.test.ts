import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SystemError } from '@kron/core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tryFlock } from './flock.js'
import { acquireStateLock, readStateLock } from './state-lock.js'

const built = new URL('../../dist/lock/state-lock.js', import.meta.url)
beforeAll(() => expect(existsSync(fileURLToPath(built)), 'run npx tsc -b first').toBe(true))

let folder = ''
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-lock-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
  rmSync(folder, { recursive: true })
})

const lockFile = (): string => join(folder, 'krond.lock')
const lockedError = (): unknown => expect.objectContaining({ code: 'KRON_STATE_LOCKED' })

/** Runs a script in a process of its own, with `lock` and `folder` at hand. */
function run(script: string) {
  const source = `
    import * as lock from ${JSON.stringify(built.href)}
    import { spawn } from 'node:child_process'
    const folder = ${JSON.stringify(folder)}
    const say = (text) => process.stdout.write(text + '\\n')
    const acquire = () => {
      try {
        lock.acquireStateLock(folder, { pid: process.pid })
        return 'held'
      } catch (error) {
        return error.code
      }
    }
    process.stdin.resume()
    ${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const heard = async (): Promise<string> => (await lines.next()).value ?? 'it ended'
  return { child, heard }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

describe('the lock of a state folder', () => {
  it('is held by one, until it is released', () => {
    const lock = acquireStateLock(folder, { pid: 1 })
    expect(() => acquireStateLock(folder, { pid: 2 })).toThrow(SystemError)
    lock.release()
    lock.release()
    acquireStateLock(folder, { pid: 3 }).release()
  })

  it('refuses a second process, and names the first', async () => {
    const { child, heard } = run(`say(acquire())`)
    expect(await heard()).toBe('held')
    expect(() => acquireStateLock(folder, {})).toThrow(lockedError())
    expect(() => acquireStateLock(folder, {})).toThrow(`process ${child.pid} holds the lock`)
    const { heard: heardOther } = run(`say(acquire())`)
    expect(await heardOther()).toBe('KRON_STATE_LOCKED')
  })

  it('is free as soon as its holder was killed, though a job of it lives on', async () => {
    const { child, heard } = run(`
      say(acquire())
      const job = spawn('/bin/cat', { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
      job.once('spawn', () => say(String(job.pid)))`)
    expect(await heard()).toBe('held')
    const job = Number(await heard())
    // Stopped, so that it does not end when the pipe to its parent does.
    process.kill(job, 'SIGSTOP')
    try {
      await kill(child)
      acquireStateLock(folder, {}).release()
      expect(process.kill(job, 0)).toBe(true)
    } finally {
      process.kill(job, 'SIGKILL')
    }
  })

  it('is won by exactly one of twenty that ask at once', async () => {
    const racers = Array.from({ length: 20 }, () =>
      run(`process.stdin.once('data', () => say(acquire()))
        say('ready')`),
    )
    for (const { heard } of racers) expect(await heard()).toBe('ready')
    for (const { child } of racers) child.stdin?.write('go')
    const answers = await Promise.all(racers.map(({ heard }) => heard()))
    expect(answers.filter((answer) => answer === 'held')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'KRON_STATE_LOCKED')).toHaveLength(19)
    const winner = racers[answers.indexOf('held')]!
    expect(readStateLock(folder)).toEqual({ held: true, info: { pid: winner.child.pid } })
  })

  it('is got in spite of somebody who looks at it all the time', async () => {
    const { heard } = run(`
      let looked = 0
      for (;;) {
        lock.readStateLock(folder)
        if (++looked === 3) say('looking')
      }`)
    expect(await heard()).toBe('looking')
    // The file names a living process: ourselves, in a life before. Only who looks is in the way.
    for (let round = 0; round < 20; round++) {
      acquireStateLock(folder, { pid: process.pid, round }).release()
    }
    expect(readStateLock(folder).held).toBe(false)
  })

  it('keeps others out and names its holder, whatever is removed from the folder', async () => {
    const { child, heard } = run(`say(acquire())`)
    expect(await heard()).toBe('held')
    rmSync(lockFile())
    expect(() => acquireStateLock(folder, {})).toThrow(lockedError())
    expect(() => acquireStateLock(folder, {})).toThrow(`process ${child.pid} holds the lock`)
    expect(readStateLock(folder)).toEqual({ held: true, info: { pid: child.pid } })
    // Nor does a file that somebody else puts there.
    writeFileSync(lockFile(), '')
    expect(() => acquireStateLock(folder, {})).toThrow(lockedError())
    await kill(child)
    acquireStateLock(folder, {}).release()
  })

  it('is not taken beside a daemon of an older version, which has locked the file alone', () => {
    writeFileSync(lockFile(), `{"pid":${process.ppid}}\n`)
    const descriptor = openSync(lockFile(), 'r+')
    try {
      expect(tryFlock(descriptor, 'exclusive')).toBe(true)
      expect(() => acquireStateLock(folder, {})).toThrow(`process ${process.ppid} holds the lock`)
      expect(readStateLock(folder)).toEqual({ held: true, info: { pid: process.ppid } })
    } finally {
      closeSync(descriptor)
    }
    expect(readStateLock(folder).held).toBe(false)
    acquireStateLock(folder, {}).release()
  })

  it('keeps a daemon of an older version out, which looks at the file alone', () => {
    const lock = acquireStateLock(folder, {})
    const descriptor = openSync(lockFile(), 'r+')
    try {
      expect(tryFlock(descriptor, 'exclusive')).toBe(false)
    } finally {
      closeSync(descriptor)
      lock.release()
    }
  })

  it('is described in a file for nobody else', () => {
    acquireStateLock(folder, {}).release()
    expect(statSync(lockFile()).mode & 0o777).toBe(0o600)
  })

  it('is given up when the holder can not be described', () => {
    const endless: Record<string, unknown> = {}
    endless['self'] = endless
    for (const info of [endless, { text: 'x'.repeat(70_000) }]) {
      const refused = expect.objectContaining({ code: 'KRON_STATE_LOCK' })
      expect(() => acquireStateLock(folder, info)).toThrow(refused)
    }
    acquireStateLock(folder, {}).release()
  })

  it('is refused in the end if it is taken by one that nothing names', () => {
    writeFileSync(lockFile(), '')
    const descriptor = openSync(lockFile(), 'r')
    try {
      expect(tryFlock(descriptor, 'shared')).toBe(true)
      expect(() => acquireStateLock(folder, {})).toThrow(lockedError())
    } finally {
      closeSync(descriptor)
    }
    acquireStateLock(folder, {}).release()
  })
})

describe('what the holder of the lock says', () => {
  it('is read by others while it holds the lock, and not afterwards', () => {
    expect(readStateLock(folder)).toEqual({ held: false, info: null })
    const lock = acquireStateLock(folder, { pid: process.pid, startedAt: 'now' })
    expect(readStateLock(folder)).toEqual({
      held: true,
      info: { pid: process.pid, startedAt: 'now' },
    })
    lock.release()
    expect(readStateLock(folder)).toEqual({ held: false, info: null })
  })

  it('can be said again, at more or less length, in one line', () => {
    const lock = acquireStateLock(folder, { pid: 1, text: 'a long one\nof two lines' })
    for (const info of [{ pid: 1 }, { pid: 1, listen: '127.0.0.1:9000' }, {}]) {
      lock.describe(info)
      expect(readStateLock(folder)).toEqual({ held: true, info })
      expect(readFileSync(lockFile(), 'utf8')).toBe(`${JSON.stringify(info)}\n`)
    }
    lock.release()
    lock.describe({ pid: 2 })
    expect(readFileSync(lockFile(), 'utf8')).toBe('{}\n')
  })

  it('is said in a new file when the one before was removed', () => {
    const lock = acquireStateLock(folder, { pid: 1 })
    rmSync(lockFile())
    lock.describe({ pid: 1, reloadedAt: 'now' })
    expect(readStateLock(folder)).toEqual({ held: true, info: { pid: 1, reloadedAt: 'now' } })
    const descriptor = openSync(lockFile(), 'r+')
    try {
      expect(tryFlock(descriptor, 'exclusive')).toBe(false)
    } finally {
      closeSync(descriptor)
    }
    lock.release()
  })

  it('replaces what one before has left', () => {
    writeFileSync(lockFile(), `${JSON.stringify({ pid: 1, text: 'x'.repeat(500) })}\nmore`)
    const lock = acquireStateLock(folder, { pid: 2 })
    expect(readFileSync(lockFile(), 'utf8')).toBe('{"pid":2}\n')
    lock.release()
  })
})
