import { ExecutionError, SystemError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { daemon, nobody } from '../../../testing/process/sample-start.js'
import type { Self } from '../accounts/accounts.js'
import type { JobOutput } from '../output/job-output.js'
import type { Account } from '../processes.js'
import type { SpawnedProcess, SpawnRequest } from '../spawn/spawner.js'
import { type GateLaunch, launchGate } from './gate-launch.js'
import { gateScript } from './gate-script.js'

const launch: GateLaunch = {
  words: ['/opt/job', '-v'],
  environment: { LD_PRELOAD: '/home/x.so', TEXT: 'one\ntwo\n' },
  account: null,
  folder: { path: '/srv', optional: false },
  umask: null,
  hasInput: false,
  checked: true,
}
const output: JobOutput = {
  stdout: 'pipe',
  stderr: 'ignore',
  read: { stdout: null, stderr: null },
  close: () => {},
  abandon: () => {},
}
const root = { uid: 0, gid: 0, groups: [0] }
const ports = { shellPath: '/bin/sh', setprivPath: 'setpriv' }

describe('a gate that can not be started', () => {
  async function failure(
    account: Account | null,
    cause: Error,
    own: Self = root,
  ): Promise<unknown> {
    const spawner = () => Promise.reject(cause)
    const launched = launchGate({ ...launch, account }, output, own, { ...ports, spawner })
    return launched.catch((error: unknown) => error)
  }
  const caused = (errno: string) => Object.assign(new Error(`spawn ${errno}`), { code: errno })

  it.each([
    ['EPERM', 'nobody', nobody, "can't become user nobody: EPERM"],
    ['EINVAL', 'nobody', nobody, "can't become user nobody: EINVAL"],
    ['ENOENT', 'daemon, who has groups', daemon, "can't become user daemon with setpriv: ENOENT"],
    ['EACCES', 'daemon, who has groups', daemon, "can't become user daemon with setpriv: EACCES"],
  ])(
    'is the fault of the job with %s, as it is to become %s',
    async (errno, _, account, message) => {
      const cause = caused(errno)
      const error = await failure(account, cause)
      expect(error).toBeInstanceOf(ExecutionError)
      expect(error).toMatchObject({ code: 'KRON_EXECUTION', message, cause })
      expect(error).toHaveProperty('details', { field: 'user', value: account.name, errno })
    },
  )

  it.each([
    ['E2BIG', 'the command and its environment are too long: E2BIG'],
    ['ERR_INVALID_ARG_VALUE', '"/opt/job" can\'t be a command: ERR_INVALID_ARG_VALUE'],
  ])('is the fault of its command with %s, no matter who runs it', async (errno, message) => {
    const cause = caused(errno)
    for (const account of [null, nobody, daemon]) {
      const error = await failure(account, cause)
      expect(error).toBeInstanceOf(ExecutionError)
      expect(error).toMatchObject({ code: 'KRON_EXECUTION', message, cause })
      expect(error).toHaveProperty('details', { field: 'command', value: '/opt/job', errno })
    }
  })

  const ownIds = { uid: nobody.uid, gid: nobody.gid, groups: [] }
  it.each([
    ['EPERM', 'without an account', null, root, '/bin/sh'],
    ['EINVAL', 'without an account', null, root, '/bin/sh'],
    ['ENOENT', 'without an account', null, root, '/bin/sh'],
    ['EPERM', 'of the own user', nobody, ownIds, '/bin/sh'],
    ['ENOENT', 'of a user without groups', nobody, root, '/bin/sh'],
    ['EAGAIN', 'of a user without groups', nobody, root, '/bin/sh'],
    ['EMFILE', 'of a user with groups', daemon, root, 'setpriv'],
    ['ENOMEM', 'of a user with groups', daemon, root, 'setpriv'],
  ])(
    'is a failure of the machine with %s, for a job %s',
    async (errno, _, account, own, program) => {
      const cause = caused(errno)
      const error = await failure(account, cause, own)
      expect(error).toBeInstanceOf(SystemError)
      const message = `${program} can't be started: ${errno}`
      expect(error).toMatchObject({ code: 'KRON_SYSTEM', message, cause })
      expect(error).toHaveProperty('details', { field: 'gate', value: program, errno })
    },
  )
})

describe('a gate that is started', () => {
  async function launched(change: Partial<GateLaunch>) {
    const requests: SpawnRequest[] = []
    const spawner = async (request: SpawnRequest) => {
      requests.push(request)
      return {} as SpawnedProcess
    }
    const gate = await launchGate({ ...launch, ...change }, output, root, { ...ports, spawner })
    return { request: requests[0]!, gate }
  }

  it('is the shell itself, with the variables of the job, for a job without an account', async () => {
    const { request, gate } = await launched({})
    expect(request).toEqual({
      program: '/bin/sh',
      words: [
        '-c',
        gateScript,
        'krond-gate',
        '0',
        '',
        '',
        '',
        '',
        '/srv',
        'required',
        'checked',
      ].concat(['--', '/opt/job', '-v']),
      environment: launch.environment,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
      become: null,
    })
    expect(gate).toMatchObject({ variables: '', read: output.read })
  })

  it('is told all that it is to check', async () => {
    const folder = { path: '/home/x', optional: true }
    const settings = { account: nobody, umask: 0o27, folder, hasInput: true, checked: false }
    const { request } = await launched(settings)
    expect(request).toMatchObject({
      stdin: 'pipe',
      become: { uid: 65_534, gid: 65_534 },
      environment: launch.environment,
    })
    expect(request.words.slice(2)).toEqual(
      ['krond-gate', '0', '65534', '65534', '', '0027', '/home/x', 'optional', 'unchecked'].concat([
        '--',
        '/opt/job',
        '-v',
      ]),
    )
  })

  it('is behind setpriv for a user with groups, and sent the variables later', async () => {
    const { request, gate } = await launched({ account: daemon })
    expect(request).toMatchObject({ program: 'setpriv', become: null })
    expect(request.environment).toEqual({
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    })
    expect(request.words).toEqual(
      ['--reuid=1', '--regid=1', '--groups=1,4,20', '--', '/bin/sh', '-c', gateScript]
        .concat(['krond-gate', '2', '1', '1', '4 20 ', '', '/srv', 'required', 'checked'])
        .concat(['--', '/opt/job', '-v']),
    )
    expect(gate.variables).toBe('LD_PRELOAD\n0\n/home/x.so\nTEXT\n2\none\ntwo\n\n')
  })
})
