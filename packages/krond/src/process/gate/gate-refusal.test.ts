import { ExecutionError, SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import type { GateLaunch } from './gate-launch.js'
import { endedUnreleased, execFailure, formatRefusal, gateRefusal } from './gate-refusal.js'

const account = { name: 'ada', uid: 1000, gid: 1001, groups: [4, 27], home: '/home/ada' }
const launch: GateLaunch = {
  words: ['/opt/job', '-v'],
  environment: {},
  account,
  folder: { path: '/srv', optional: false },
  umask: 0o27,
  hasInput: false,
  checked: true,
}
const ended = { code: 3, signal: null }

describe('a gate that ends instead of being ready', () => {
  const command = { field: 'command', value: '/opt/job' }

  it.each<[string, string, object]>([
    [
      'error uid 0',
      'the user id must become 1000, got 0',
      { field: 'user', value: '0', allowed: '1000' },
    ],
    [
      'error gid 0',
      'the group id must become 1001, got 0',
      { field: 'user', value: '0', allowed: '1001' },
    ],
    [
      'error groups 0 4',
      'the supplementary groups must become 4 27, got 0 4',
      { field: 'user', value: '0 4', allowed: '4 27' },
    ],
    [
      'error groups  ',
      'the supplementary groups must become 4 27, got none',
      { field: 'user', value: ' ', allowed: '4 27' },
    ],
    [
      'error status',
      'the user and groups of the gate could not be read from /proc',
      { field: 'user', value: 'ada' },
    ],
    [
      'error environment',
      'the environment could not be handed over',
      { field: 'env', value: null },
    ],
    ['error umask', 'the umask 0027 could not be set', { field: 'umask', value: 0o27 }],
    [
      'error cwd',
      `cwd "/srv" is not a folder that the job's user may enter`,
      { field: 'cwd', value: '/srv' },
    ],
    ['error missing', 'command "/opt/job" does not exist', command],
    ['error folder', 'command "/opt/job" is a folder', command],
    [
      'error permission',
      `command "/opt/job" is not a file that the job's user may execute`,
      command,
    ],
    ['error unknown', `command "/opt/job" is in no folder of the job's PATH`, command],
  ])('is the fault of the job when it said %j', (line, message, details) => {
    const error = gateRefusal(launch, line, 'not asked for', ended)
    expect(error).toBeInstanceOf(ExecutionError)
    expect(error).toMatchObject({ code: 'KRON_EXECUTION', message })
    expect(error.details).toEqual(details)
  })

  it('is the fault of a job that only a shell would execute', () => {
    expect(formatRefusal(launch).message).toBe(
      'command "/opt/job" can not be executed: ' +
        'it is neither a program nor a script that begins with #! (exec format error)',
    )
  })

  it('names no account where the job has none', () => {
    const error = gateRefusal({ ...launch, account: null }, 'error uid 5', '', ended)
    expect(error.message).toBe('the user id must become none, got 5')
  })

  it.each([
    ['', ended, 'exit code 3'],
    ['no such group', ended, 'exit code 3, no such group'],
    ['', { code: null, signal: 'SIGKILL' }, 'SIGKILL'],
  ])('could not become the user when it said nothing: %j', (said, status, reason) => {
    const error = gateRefusal(launch, null, said, status)
    expect(error).toBeInstanceOf(ExecutionError)
    expect(error).toMatchObject({
      message: `can't become user ada: ${reason}`,
      details: { field: 'user', value: 'ada' },
    })
  })

  it.each<[string | null, GateLaunch]>([
    [null, { ...launch, account: null }],
    ['error', launch],
    ['error strange', launch],
    ['an error missing', launch],
    ['hello', launch],
  ])('is a failure of the machine when it said %j', (line, launched) => {
    const error = gateRefusal(launched, line, 'killed', ended)
    expect(error).toBeInstanceOf(SystemError)
    expect(error).toMatchObject({
      code: 'KRON_SYSTEM',
      message: 'the gate ended before it was ready: exit code 3, killed',
      details: { field: 'gate', value: line, status: ended },
    })
  })
})

const interpreter = '; does its interpreter exist?'

describe('a job that could not be executed', () => {
  it.each([
    ['job', '126', '', '"job": could not be executed'],
    ['job', '127', '', '"job": not found'],
    ['/opt/job', '127', '', `"/opt/job": not found${interpreter}`],
    ['/opt/job', '126', '', '"/opt/job": could not be executed'],
    [
      '/opt/job',
      '127',
      'krond-gate: 7: exec: /opt/job: not found',
      `/opt/job: not found${interpreter}`,
    ],
    ['job', '126', 'krond-gate: line 12: job: Permission denied\nmore', 'job: Permission denied'],
    ['job', '126', 'job: krond-gate: 7: odd', 'job: krond-gate: 7: odd'],
  ])('is reported with what the shell said: %s, %s, %j', (program, status, said, reason) => {
    expect(execFailure(program, status, said)).toEqual({ kind: 'not-executed', reason })
  })

  it.each([
    [{ code: 3, signal: null }, 'exit code 3'],
    [{ code: null, signal: 'SIGKILL' }, 'SIGKILL'],
  ])('is reported with how its gate ended: %j', (status, how) => {
    const reason = `the gate ended before it was released: ${how}`
    expect(endedUnreleased(status)).toEqual({ kind: 'not-executed', reason })
  })
})
