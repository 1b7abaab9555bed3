import { ExecutionError, quotePath, SystemError } from '@kron/core'
import type { ExecFailure, ExitStatus } from '../processes.js'
import type { GateLaunch } from './gate-launch.js'

/** The error for a command that only a shell would execute. */
export const formatRefusal = (launch: GateLaunch): ExecutionError => refusals['format']!(launch, '')

/** The error for a gate that ended instead of being ready. `line` is what it said, if anything. */
export function gateRefusal(
  launch: GateLaunch,
  line: string | null,
  said: string,
  status: ExitStatus,
): ExecutionError | SystemError {
  const [, what, values] = /^error (\w+) ?(.*)$/.exec(line ?? '') ?? []
  const known = what === undefined ? undefined : refusals[what]
  if (known !== undefined) return known(launch, values ?? '')
  const ended = status.signal ?? `exit code ${status.code}`
  const reason = said === '' ? ended : `${ended}, ${said}`
  const { account } = launch
  if (account !== null && line === null) {
    return refused(`can't become user ${account.name}: ${reason}`, 'user', account.name)
  }
  const details = { field: 'gate', value: line, status }
  return new SystemError('KRON_SYSTEM', `the gate ended before it was ready: ${reason}`, details)
}

type Refusal = (launch: GateLaunch, values: string) => ExecutionError

const refusals: Readonly<Record<string, Refusal>> = {
  uid: idRefusal('user id', ({ uid }) => uid),
  gid: idRefusal('group id', ({ gid }) => gid),
  groups: idRefusal('supplementary groups', ({ groups }) => groups.join(' ')),
  status: ({ account }) =>
    refused('the user and groups of the gate could not be read from /proc', 'user', account?.name),
  environment: () => refused('the environment could not be handed over', 'env', null),
  umask: ({ umask }) => refused(`the umask ${octal(umask)} could not be set`, 'umask', umask),
  cwd: ({ folder: { path } }) =>
    refused(`cwd ${quotePath(path)} is not a folder that the job's user may enter`, 'cwd', path),
  missing: commandRefusal('does not exist'),
  folder: commandRefusal('is a folder'),
  permission: commandRefusal("is not a file that the job's user may execute"),
  format: commandRefusal(
    'can not be executed: it is neither a program nor a script that begins with #! ' +
      '(exec format error)',
  ),
  unknown: ({ words }) =>
    refused(
      `command ${quotePath(words[0])} is in no folder of the job's PATH`,
      'command',
      words[0],
    ),
}

/** As it is written in a krontab. */
const octal = (umask: number | null): string => (umask ?? 0).toString(8).padStart(4, '0')

function idRefusal(
  name: string,
  expected: (account: NonNullable<GateLaunch['account']>) => number | string,
): Refusal {
  return ({ account }, values) => {
    const wanted = account === null ? 'none' : expected(account)
    const got = values.trim() || 'none'
    return refused(`the ${name} must become ${wanted}, got ${got}`, 'user', values, wanted)
  }
}

function commandRefusal(reason: string): Refusal {
  return ({ words }) => refused(`command ${quotePath(words[0])} ${reason}`, 'command', words[0])
}

function refused(
  message: string,
  field: string,
  value: unknown,
  allowed?: number | string,
): ExecutionError {
  const details = { field, value, ...(allowed !== undefined && { allowed: `${allowed}` }) }
  return new ExecutionError('KRON_EXECUTION', message, details)
}

export const notExecuted = (reason: string): ExecFailure => ({ kind: 'not-executed', reason })

/** From what the shell said when its `exec` returned, or else from the status it gave. */
export function execFailure(program: string, status: string, said: string): ExecFailure {
  const [first = ''] = said.split('\n')
  const words = first.replace(/^krond-gate: (?:line )?\d+: (?:exec: )?/, '')
  // Shells say that a script is not found when it is its interpreter that is missing.
  const hint = status === '127' && program.includes('/') ? '; does its interpreter exist?' : ''
  if (words !== '') return notExecuted(`${words}${hint}`)
  const reason = status === '127' ? 'not found' : 'could not be executed'
  return notExecuted(`${quotePath(program)}: ${reason}${hint}`)
}

export function endedUnreleased({ code, signal }: ExitStatus): ExecFailure {
  return notExecuted(`the gate ended before it was released: ${signal ?? `exit code ${code}`}`)
}
