import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemError } from '@kron/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tryFlock } from './flock.js'
import { acquireStateLock, readStateLock } from './state-lock.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-holder-file-'))
})
afterEach(() => {
  const left = openFiles()
  rmSync(folder, { recursive: true })
  // Whatever was refused or given up, nothing is left open.
  expect(left).toEqual([])
})

const lockFile = (): string => join(folder, 'krond.lock')

/** What this process has open in the folder, and the folder itself. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      return []
    }
  })
}

function locked<T>(path: string, mode: 'exclusive' | 'shared', call: () => T): T {
  const descriptor = openSync(path, 'r')
  try {
    expect(tryFlock(descriptor, mode)).toBe(true)
    return call()
  } finally {
    closeSync(descriptor)
  }
}

function caught(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

describe('what a file says of the holder', () => {
  it.each([
    ['{"pid":1}\n', { pid: 1 }],
    ['{"pid":1}\nwhat is left of the one before', { pid: 1 }],
    ['{"pid":1}', null],
    ['{"pid":', null],
    ['{"pid":\n', null],
    ['', null],
    ['\n{"pid":1}\n', null],
    ['[1]\n', null],
    ['null\n', null],
    ['7\n', null],
    ['"pid"\n', null],
  ])('is its first line: %j', (contents, info) => {
    writeFileSync(lockFile(), contents)
    locked(lockFile(), 'exclusive', () =>
      expect(readStateLock(folder)).toEqual({ held: true, info }),
    )
  })

  it('is not asked for when only others look', () => {
    writeFileSync(lockFile(), '{"pid":1}\n')
    const free = { held: false, info: null }
    locked(folder, 'shared', () => expect(readStateLock(folder)).toEqual(free))
    locked(lockFile(), 'shared', () => expect(readStateLock(folder)).toEqual(free))
    expect(readStateLock(join(folder, 'no'))).toEqual(free)
  })

  it('may be of 64 KiB with the end of the line, and no more', () => {
    const info = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}\n'.length) })
    const lock = acquireStateLock(folder, info(65_536))
    expect(readStateLock(folder)).toEqual({ held: true, info: info(65_536) })
    expect(caught(() => lock.describe(info(65_537)))).toMatchObject({
      code: 'KRON_STATE_LOCK',
      message: expect.stringMatching(/^can't write .*: too much to say$/),
    })
    expect(readStateLock(folder)).toEqual({ held: true, info: info(65_536) })
    lock.release()
  })
})

describe('the lock of a holder', () => {
  it('is exclusive on the folder and on the file, also on one that it made again', () => {
    const lock = acquireStateLock(folder, { pid: 1 })
    const isFree = (path: string): boolean => {
      const descriptor = openSync(path, 'r')
      try {
        return tryFlock(descriptor, 'shared')
      } finally {
        closeSync(descriptor)
      }
    }
    expect([isFree(folder), isFree(lockFile())]).toEqual([false, false])
    rmSync(lockFile())
    lock.describe({ pid: 2 })
    expect([isFree(folder), isFree(lockFile())]).toEqual([false, false])
    expect(openFiles().sort()).toEqual([folder, lockFile()])
    lock.release()
    expect([isFree(folder), isFree(lockFile())]).toEqual([true, true])
  })

  it('is refused beside a daemon of an older version, and nothing stays open', () => {
    writeFileSync(lockFile(), `{"pid":${process.ppid}}\n`)
    locked(lockFile(), 'exclusive', () => {
      expect(caught(() => acquireStateLock(folder, {}))).toMatchObject({
        code: 'KRON_STATE_LOCKED',
        details: { value: process.ppid, path: folder },
      })
      expect(openFiles()).toEqual([lockFile()])
    })
  })
})

describe('a lock that can not be taken', () => {
  const endless: Record<string, unknown> = {}
  endless['self'] = endless

  it.each<[string, string, string, () => unknown]>([
    ['no folder', 'open', 'ENOENT', () => acquireStateLock(join(folder, 'no'), {})],
    [
      'a file instead of the folder',
      'open',
      'ENOTDIR',
      () => {
        writeFileSync(join(folder, 'file'), '')
        readStateLock(join(folder, 'file'))
      },
    ],
    [
      'a link instead of the file',
      'open',
      'ELOOP',
      () => {
        symlinkSync('target', lockFile())
        acquireStateLock(folder, {})
      },
    ],
    [
      'a pipe instead of the file',
      'open',
      'it is not a regular file',
      () => {
        expect(spawnSync('mkfifo', [lockFile()]).status).toBe(0)
        acquireStateLock(folder, {})
      },
    ],
    [
      'a folder instead of the file, to look at',
      'open',
      'it is not a regular file',
      () => {
        mkdirSync(lockFile())
        readStateLock(folder)
      },
    ],
    [
      'nothing that can be said',
      'write',
      'Converting circular structure to JSON',
      () => acquireStateLock(folder, endless),
    ],
  ])('because of %s says what, where and why', (_, operation, why, call) => {
    const error = caught(call)
    expect(error).toBeInstanceOf(SystemError)
    const { message, details } = error as SystemError
    const path = String(details['path'])
    expect(path.startsWith(folder)).toBe(true)
    expect(message).toContain(
      `can't ${operation} "${path}" for the lock of the state folder: ${why}`,
    )
    expect(error).toMatchObject({
      code: 'KRON_STATE_LOCK',
      details: {
        field: 'lock',
        value: path,
        allowed: 'a folder and files that krond may use',
        operation,
      },
      cause: expect.anything(),
    })
  })
})
