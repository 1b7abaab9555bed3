import { PersistenceError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { DiskError } from '../disk/disk.js'
import { attempt, diskFailure, refusal, unsafe } from './state-failure.js'

const of = ({ code, message, details, cause }: PersistenceError) => ({
  code,
  message,
  details,
  cause,
})
const state = { field: 'state', value: '/s/a', path: '/s/a' }

describe('a failure of the state on disk', () => {
  const full = new DiskError('ENOSPC', 'write', '/s/a')

  it.each<[string, unknown, object]>([
    ['ENOSPC, the disk is full', full, { errno: 'ENOSPC' }],
    ['EIO', new DiskError('EIO', 'write', '/s/a'), { errno: 'EIO' }],
    ['it broke', new Error('it broke'), {}],
    ['"nothing was written"', 'nothing was written', {}],
  ])('says what could not be done, where, and why: %s', (why, cause, errno) => {
    expect(of(diskFailure('sync folder', '/s/a', cause))).toEqual({
      code: 'KRON_PERSISTENCE',
      message: `can't sync folder "/s/a": ${why}`,
      details: { ...state, operation: 'sync folder', ...errno },
      cause,
    })
  })

  it('makes later saves be refused with the first reason', () => {
    const first = diskFailure('write', '/s/b', full)
    expect(of(refusal(first, '/s/a'))).toEqual({
      code: 'KRON_PERSISTENCE',
      message:
        '"/s/a" is not saved: ' +
        `the disk can't be trusted with state since can't write "/s/b": ENOSPC, the disk is full`,
      details: { ...state, operation: 'save' },
      cause: first,
    })
  })

  it('is told from what others could have written', () => {
    expect(of(unsafe('/s/a', 'a symbolic link', 'a regular file'))).toEqual({
      code: 'KRON_STATE_UNSAFE',
      message: '"/s/a" must be a regular file, it is a symbolic link',
      details: { ...state, value: 'a symbolic link', allowed: 'a regular file' },
      cause: undefined,
    })
  })

  it('is what an attempt throws that fails', () => {
    expect(attempt('list', '/s', () => 5)).toBe(5)
    const failing = (): never => {
      throw full
    }
    const failure = expect.objectContaining({
      message: `can't list "/s": ENOSPC, the disk is full`,
      cause: full,
    })
    expect(() => attempt('list', '/s', failing)).toThrow(PersistenceError)
    expect(() => attempt('list', '/s', failing)).toThrow(failure)
  })
})
