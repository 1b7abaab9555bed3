import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ScriptedFlock, scriptedFlock } from '../../testing/lock/scripted-flock.js'
import { tryFlock } from './flock.js'
import { acquireStateLock } from './state-lock.js'

let base = ''
let folder = ''
let flock: ScriptedFlock | null = null
// Nothing is to be waited for here: the script knows by the number of the call what it says.
const wait = vi.spyOn(Atomics, 'wait')
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'kron-contested-'))
  folder = mkdtempSync(join(base, 'state-'))
  wait.mockReset().mockReturnValue('timed-out')
})
afterEach(() => {
  flock?.remove()
  flock = null
  rmSync(base, { recursive: true })
})

const pauses = (): unknown[] => wait.mock.calls.map(([, , , ms]) => ms)

/** The lock is held for as many tries as that, by one of whom the file says this. */
function contested(tries: number, contents: string): void {
  writeFileSync(join(folder, 'krond.lock'), contents)
  flock = scriptedFlock(`[ $call -le ${tries} ] && exit 1; real "$@"`)
}

describe('a lock that is held for a moment', () => {
  it.each([
    ['nothing', ''],
    ['no process', '{"startedAt":"now"}\n'],
    ['a process that has ended', '{"pid":999999999}\n'],
    ['our own number, from a life before', `{"pid":${process.pid}}\n`],
    ['a process by a text', `{"pid":"${process.ppid}"}\n`],
    ['no number of a process', '{"pid":0}\n'],
    ['a group of processes', '{"pid":-1}\n'],
  ])('is tried again while its file names %s', (_, contents) => {
    contested(2, contents)
    acquireStateLock(folder, {}).release()
    expect(pauses()).toEqual([20, 20])
  })

  it('is not tried again when its file names another process that lives', () => {
    contested(1, `{"pid":${process.ppid}}\n`)
    expect(() => acquireStateLock(folder, {})).toThrow(`process ${process.ppid} holds the lock`)
    expect([flock!.calls(), pauses()]).toEqual([['-n -x 3'], []])
  })

  it('is not tried again either when that process belongs to somebody else', () => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    })
    try {
      contested(1, '{"pid":999999999}\n')
      expect(() => acquireStateLock(folder, {})).toThrow('process 999999999 holds the lock')
      expect(kill.mock.calls).toEqual([[999999999, 0]])
    } finally {
      kill.mockRestore()
    }
  })

  it('is given up after ten more tries', () => {
    contested(1000, '')
    expect(() => acquireStateLock(folder, {})).toThrow(
      expect.objectContaining({
        code: 'KRON_STATE_LOCKED',
        message: expect.stringMatching(
          /^another process holds the lock of ".*": one daemon may run on a state folder; krond stop /,
        ),
        details: {
          field: 'lock',
          value: null,
          allowed: 'a state folder without a daemon',
          path: folder,
        },
      }),
    )
    expect(flock!.calls()).toHaveLength(11)
    expect(pauses()).toEqual(Array(10).fill(20))
  })
})

describe('a lock on a folder that was replaced before it was got', () => {
  const replace = (): string => `mv '${folder}' '${base}/'old-$call; mkdir -m 700 '${folder}'`

  it('is not ours: that of the folder which is there now is taken', () => {
    flock = scriptedFlock(`[ $call -eq 1 ] && { ${replace()}; }; real "$@"`)
    const lock = acquireStateLock(folder, {})
    expect(pauses()).toEqual([20])
    const descriptor = openSync(folder, 'r')
    try {
      expect(tryFlock(descriptor, 'shared')).toBe(false)
    } finally {
      closeSync(descriptor)
      lock.release()
    }
  })

  it('is refused in the end if it happens all the time', () => {
    flock = scriptedFlock(`${replace()}; real "$@"`)
    expect(() => acquireStateLock(folder, {})).toThrow('another process holds the lock')
    expect(flock.calls()).toHaveLength(11)
  })
})
