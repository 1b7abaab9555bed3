import { type ExecutionError, quotePath, SystemError } from '@kron/core'
import type { Self } from '../accounts/accounts.js'
import { codeOf, failureOf, isTransient } from '../failure.js'
import type { JobOutput } from '../output/job-output.js'
import type { Account } from '../processes.js'
import { type SpawnedProcess, type Spawner, searchPath } from '../spawn/spawner.js'
import { gateScript } from './gate-script.js'
import { otherGroups, type PrivilegeDrop, privilegeDrop } from './privilege-drop.js'

/** All that one gate needs. */
export interface GateLaunch {
  readonly words: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string>>
  readonly account: Account | null
  readonly folder: { readonly path: string; readonly optional: boolean }
  readonly umask: number | null
  readonly hasInput: boolean
  /** Whether the gate looks for the command before it is ready. */
  readonly checked: boolean
}

export interface LaunchPorts {
  readonly spawner: Spawner
  readonly shellPath: string
  readonly setprivPath: string
}

export interface LaunchedGate {
  readonly child: SpawnedProcess
  /** To be sent to the gate when it asks for them. */
  readonly variables: string
  /** Streams that are not among those of the process, since they outlive us. */
  readonly read: JobOutput['read']
}

/**
 * Spawns the gate; throws an ExecutionError or a SystemError when there is no process then.
 *
 * setpriv(1) runs as this process, maybe root, until it has changed user. Variables of the job
 * such as LD_PRELOAD would have it run what the job's user wrote. So it gets none, and the gate
 * behind it is sent the variables when it is that user.
 */
export async function launchGate(
  launch: GateLaunch,
  output: JobOutput,
  own: Self,
  { spawner, shellPath, setprivPath }: LaunchPorts,
): Promise<LaunchedGate> {
  const drop = privilegeDrop(launch.account, own)
  const isBehind = drop.kind === 'setpriv'
  const variables = isBehind ? Object.entries(launch.environment) : []
  const shellWords = ['-c', gateScript, ...parameters(launch, variables.length)]
  const [program, words] = isBehind
    ? [setprivPath, [...drop.options, shellPath, ...shellWords]]
    : [shellPath, shellWords]
  try {
    const child = await spawner({
      program,
      words,
      environment: isBehind ? { PATH: searchPath } : launch.environment,
      stdin: launch.hasInput ? 'pipe' : 'ignore',
      stdout: output.stdout,
      stderr: output.stderr,
      become: drop.kind === 'spawn' ? drop : null,
    })
    return { child, variables: variables.map(variableLines).join(''), read: output.read }
  } catch (error) {
    throw launchFailure(error, launch, drop, program)
  }
}

function parameters(launch: GateLaunch, variables: number): string[] {
  const { account, umask, folder, checked, words } = launch
  return [
    'krond-gate',
    `${variables}`,
    account === null ? '' : `${account.uid}`,
    account === null ? '' : `${account.gid}`,
    account === null
      ? ''
      : otherGroups(account)
          .map((group) => `${group} `)
          .join(''),
    umask === null ? '' : umask.toString(8).padStart(4, '0'),
    folder.path,
    folder.optional ? 'optional' : 'required',
    checked ? 'checked' : 'unchecked',
    '--',
    ...words,
  ]
}

/** The name, how many lines its value has after the first, and those lines. */
function variableLines([name, value]: [string, string]): string {
  return `${name}\n${value.split('\n').length - 1}\n${value}\n`
}

function launchFailure(
  cause: unknown,
  { account, words }: GateLaunch,
  drop: PrivilegeDrop,
  program: string,
): ExecutionError | SystemError {
  const code = codeOf(cause)
  if (code === 'E2BIG') {
    return failureOf(cause, 'the command and its environment are too long', 'command', words[0])
  }
  if (code.startsWith('ERR_')) {
    return failureOf(cause, `${quotePath(words[0])} can't be a command`, 'command', words[0])
  }
  const isDenied = drop.kind === 'spawn' && (code === 'EPERM' || code === 'EINVAL')
  if (account !== null && !isTransient(cause) && (isDenied || drop.kind === 'setpriv')) {
    const way = drop.kind === 'setpriv' ? ` with ${program}` : ''
    return failureOf(cause, `can't become user ${account.name}${way}`, 'user', account.name)
  }
  return new SystemError(
    'KRON_SYSTEM',
    `${program} can't be started: ${code}`,
    { field: 'gate', value: program, errno: code },
    { cause },
  )
}
