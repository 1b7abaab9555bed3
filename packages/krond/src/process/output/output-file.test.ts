import {
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExecutionError } from '@kron/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBelow } from '../../../testing/process/open-descriptors.js'
import { games } from '../../../testing/process/sample-start.js'
import { makePipe } from '../../native/file-calls.js'
import type { Account } from '../processes.js'
import { openOutputFile } from './output-file.js'

const isRoot = process.getuid?.() === 0
if (!isRoot) console.warn('files of other users are not tested: only root can make them')
const ownUid = process.getuid!()
const own: Account = { ...games, name: 'own', uid: ownUid, gid: process.getgid!() }

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kron-file-')))
  chmodSync(folder, 0o755)
})
afterEach(() => rmSync(folder, { recursive: true }))

function append(path: string, account: Account | null): void {
  const descriptor = openOutputFile(path, account, ownUid)
  expect(openBelow(folder)).toHaveLength(1)
  writeSync(descriptor, 'written\n')
  closeSync(descriptor)
}

function refusalOf(path: string, account: Account | null): ExecutionError {
  try {
    closeSync(openOutputFile(path, account, ownUid))
  } catch (error) {
    expect(error).toBeInstanceOf(ExecutionError)
    expect(openBelow(folder)).toEqual([])
    return error as ExecutionError
  }
  throw new Error(`${path} was not refused`)
}

describe('a file for the output of our own jobs', () => {
  it.each([
    ['without an account', null],
    ['with our account', own],
  ])('may be behind a link in its path, %s', (_, account) => {
    mkdirSync(join(folder, 'disk'))
    symlinkSync(join(folder, 'disk'), join(folder, 'logs'))
    append(join(folder, 'logs', 'a.log'), account)
    append(join(folder, 'logs', 'a.log'), account)
    expect(readFileSync(join(folder, 'disk', 'a.log'), 'utf8')).toBe('written\nwritten\n')
    expect(statSync(join(folder, 'disk', 'a.log')).uid).toBe(ownUid)
  })

  it.runIf(isRoot)('may be that of another user where the job has no account', () => {
    const path = join(folder, 'of-games.log')
    writeFileSync(path, '')
    chownSync(path, games.uid, games.gid)
    append(path, null)
    expect(readFileSync(path, 'utf8')).toBe('written\n')
    expect(refusalOf(path, own).message).toContain('belongs to user 5, not to own')
  })

  it('is refused when it is something else, and not left open', () => {
    const path = join(folder, 'pipe')
    makePipe(path)
    // A pipe that nobody reads can't be opened for writing.
    expect(refusalOf(path, null).details).toEqual({ field: 'output', value: path, errno: 'ENXIO' })
    const device = refusalOf('/dev/null', null)
    expect(device.message).toBe(`output can't be appended: "/dev/null" is not a regular file`)
    expect(device.details).toEqual({
      field: 'output',
      value: statSync('/dev/null').mode,
      allowed: "a regular file of the job's user",
      path: '/dev/null',
    })
  })

  it('is refused with the reason that the system gives', () => {
    const path = join(folder, 'no/such.log')
    const { message, details, cause } = refusalOf(path, null)
    expect(message).toBe(`output can't be appended to "${path}": ENOENT`)
    expect(details).toEqual({ field: 'output', value: path, errno: 'ENOENT' })
    expect(cause).toMatchObject({ code: 'ENOENT' })
  })
})

describe.runIf(isRoot)('a file for the output of jobs of another user', () => {
  it('leaves no folder of its path open', () => {
    mkdirSync(join(folder, 'a/b/c'), { recursive: true })
    append(`${folder}/a/b//./c/../c/d.log`, games)
    append(join(folder, 'a/b/c/d.log'), games)
    expect(openBelow(folder)).toEqual([])
    const { uid, gid } = statSync(join(folder, 'a/b/c/d.log'))
    expect([uid, gid]).toEqual([games.uid, games.gid])
    expect(readFileSync(join(folder, 'a/b/c/d.log'), 'utf8')).toBe('written\nwritten\n')
  })

  it('may have two names when it is that of the user', () => {
    const [path, other] = [join(folder, 'one.log'), join(folder, 'other.log')]
    writeFileSync(path, '')
    linkSync(path, other)
    expect(refusalOf(path, games).message).toContain('has a second name')
    chownSync(path, games.uid, games.gid)
    append(path, games)
    expect(readFileSync(other, 'utf8')).toBe('written\n')
  })

  it('keeps its owner and mode when it is one of ours', () => {
    const path = join(folder, 'ours.log')
    writeFileSync(path, '', { mode: 0o600 })
    append(path, games)
    const { uid, mode } = statSync(path)
    expect([uid, mode & 0o777]).toEqual([ownUid, 0o600])
  })

  it('is refused with all that says whose it is', () => {
    const path = join(folder, 'of-daemon.log')
    writeFileSync(path, '')
    chownSync(path, 1, 1)
    expect(refusalOf(path, games).details).toEqual({
      field: 'output',
      value: 1,
      allowed: "a regular file of the job's user",
      path,
    })
  })

  it.each(['/', '/tmp/..'])('is refused where it is %s', (path) => {
    expect(refusalOf(path, games).details).toMatchObject({ value: path, errno: 'EISDIR' })
  })
})
