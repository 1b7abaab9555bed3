import { ConfigurationError, ExecutionError, SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { codeOf, failureOf } from './failure.js'

const errno = (code: string): Error => Object.assign(new Error('it failed'), { code })

describe('why a start failed', () => {
  it.each(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOBUFS', 'EINTR'])(
    'is the machine, for now, with %s',
    (code) => {
      const cause = errno(code)
      const error = failureOf(cause, "can't open it", 'stdout', '/x')
      expect(error).toBeInstanceOf(SystemError)
      expect(error).toMatchObject({
        code: 'KRON_SYSTEM',
        message: `can't open it: ${code}`,
        details: { field: 'stdout', value: '/x', errno: code },
        cause,
      })
    },
  )

  it.each<[unknown, string]>([
    [errno('ENOENT'), 'ENOENT'],
    [new Error('no code'), 'unknown'],
    [null, 'unknown'],
    [{ code: 5 }, 'unknown'],
  ])('is the job with %s', (cause, code) => {
    const error = failureOf(cause, "can't open it", 'stdout', '/x')
    expect(error).toBeInstanceOf(ExecutionError)
    expect(error).toMatchObject({
      code: 'KRON_EXECUTION',
      message: `can't open it: ${code}`,
      details: { field: 'stdout', value: '/x', errno: code },
      cause,
    })
    expect(codeOf(cause)).toBe(code)
  })

  it('stays what it is where it is known', () => {
    const execution = new ExecutionError('KRON_EXECUTION', 'x', { field: 'command' })
    const system = new SystemError('KRON_SYSTEM', 'x', { field: 'gate' })
    expect(failureOf(execution, 'y', 'stdout', 1)).toBe(execution)
    expect(failureOf(system, 'y', 'stdout', 1)).toBe(system)
    const other = new ConfigurationError('KRON_ACCOUNT_UNKNOWN', 'x', {
      field: 'user',
      value: 'ada',
    })
    expect(failureOf(other, 'y', 'stdout', 1).details).toMatchObject({
      field: 'user',
      value: 'ada',
    })
  })
})
