import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemError } from '@kron/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedFlock, scriptedFlock } from '../../testing/lock/scripted-flock.js'
import { tryFlock } from './flock.js'

let folder = ''
const opened: number[] = []
const open = (): number => {
  const descriptor = openSync(folder, 'r')
  opened.push(descriptor)
  return descriptor
}

let flock: ScriptedFlock | null = null
const path = process.env['PATH']
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kron-flock-test-'))
})
afterEach(() => {
  flock?.remove()
  flock = null
  process.env['PATH'] = path
  for (const descriptor of opened.splice(0)) closeSync(descriptor)
  rmSync(folder, { recursive: true })
})

describe('a lock of the kernel', () => {
  it.each([
    ['exclusive', 'exclusive', false],
    ['exclusive', 'shared', false],
    ['shared', 'exclusive', false],
    ['shared', 'shared', true],
  ] as const)('that is %s leaves another %s: %s', (first, second, isLeft) => {
    expect(tryFlock(open(), first)).toBe(true)
    expect(tryFlock(open(), second)).toBe(isLeft)
  })

  it('is asked for with options that util-linux and BusyBox know, and is not waited for', () => {
    flock = scriptedFlock('exit 0')
    expect(tryFlock(open(), 'exclusive')).toBe(true)
    expect(tryFlock(open(), 'shared')).toBe(true)
    expect(flock.calls()).toEqual(['-n -x 3', '-n -s 3'])
  })

  it.each(['exit 1', 'echo " " >&2; exit 1'])('is held by others after %j', (script) => {
    flock = scriptedFlock(script)
    expect(tryFlock(open(), 'exclusive')).toBe(false)
  })
})

describe('a flock that does not work', () => {
  const allowed = 'a working flock(1) in the PATH'
  const could = 'the program flock could not lock the state folder'

  it.each([
    ['exit 66', '"exit code 66"'],
    ['echo >&2; exit 2', '"exit code 2"'],
    ['kill -KILL $$', '"SIGKILL"'],
    ['echo "flock: 3: Bad file descriptor " >&2; exit 1', '"flock: 3: Bad file descriptor"'],
    ['echo no locks available >&2; exit 71', '"no locks available"'],
  ])('is an error that says why: %s', (script, why) => {
    flock = scriptedFlock(script)
    expect(caught(() => tryFlock(open(), 'shared'))).toMatchObject({
      code: 'KRON_STATE_LOCK',
      message: `${could}: ${why}`,
      details: { field: 'flock', value: why, allowed },
      cause: JSON.parse(why),
    })
  })

  it('is an error with the code of the system when it can not be executed', () => {
    flock = scriptedFlock('exit 0', 0o600)
    process.env['PATH'] = process.env['PATH']!.split(':')[0]
    expect(caught(() => tryFlock(open(), 'shared'))).toMatchObject({
      code: 'KRON_STATE_LOCK',
      message: `${could}: EACCES`,
      details: { value: 'EACCES', allowed },
      cause: { code: 'EACCES' },
    })
  })

  it('is an error that says what is needed when it is not there', () => {
    process.env['PATH'] = folder
    const error = caught(() => tryFlock(open(), 'exclusive'))
    expect(error).toBeInstanceOf(SystemError)
    expect(error).toMatchObject({
      code: 'KRON_STATE_LOCK',
      message: 'the program flock, of util-linux or BusyBox, is needed to lock the state folder',
      details: { field: 'flock', value: 'ENOENT', allowed },
      cause: { code: 'ENOENT' },
    })
  })
})

function caught(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}
