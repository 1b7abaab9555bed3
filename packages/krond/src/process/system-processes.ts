import { userInfo } from 'node:os'
import { ExecutionError, quotePath } from '@kron/core'
import { type Clock, systemClock } from '@kron/runtime'
import { selfOf } from './accounts/system-accounts.js'
import { checkGateOf } from './gate/check-gate.js'
import { type GateLaunch, launchGate } from './gate/gate-launch.js'
import { formatRefusal } from './gate/gate-refusal.js'
import { defaultShell, jobEnvironment, type OwnUser } from './gate/job-environment.js'
import { ProgramFormats } from './gate/program-format.js'
import { type GateLimits, GateProcess, SystemGate } from './gate/system-gate.js'
import { drained, endlessFlow, type Flow } from './output/captured-stream.js'
import { openJobOutput } from './output/job-output.js'
import { OutputFolder } from './output/output-folder.js'
import { isProcessAlive, signalGroup } from './process-identity.js'
import type { Gate, Processes, RunSettings, StartRequest } from './processes.js'
import { systemSpawner } from './spawn/native-spawner.js'
import type { Spawner } from './spawn/spawner.js'

export interface SystemProcessesOptions {
  readonly clock?: Clock
  readonly limits?: Partial<GateLimits>
  readonly shellPath?: string
  readonly setprivPath?: string
  readonly loggerPath?: string
  readonly spawner?: Spawner
  /** Where output of jobs passes through that is to outlive this process; none: it does not. */
  readonly outputFolder?: string
  /** Where lines of jobs go, and whether there is room for them. */
  readonly flow?: Flow
}

export interface SystemProcesses extends Processes {
  /**
   * Sees on two real processes that the shell of this machine tells a command that was executed
   * from one that could not be. Rejects with a SystemError if it does not.
   */
  checkGate(): Promise<void>
  /** What is read of jobs, also of those that a former process started; null: it ends with us. */
  readonly output: OutputFolder | null
}

const defaultLimits: GateLimits = { readyMs: 30_000, execMs: 10_000, endMs: 1000, drainMs: 1000 }

/** The processes of this machine. */
export function systemProcesses(options: SystemProcessesOptions = {}): SystemProcesses {
  const { clock = systemClock(), loggerPath = 'logger' } = options
  const { shellPath = defaultShell, setprivPath = 'setpriv' } = options
  const { spawner = systemSpawner(), flow = endlessFlow, outputFolder } = options
  const limits = { ...defaultLimits, ...options.limits }
  const formats = new ProgramFormats(clock)
  const ownIds = selfOf()
  const ownUser = ownUserOf(ownIds.uid)
  const folder =
    outputFolder === undefined
      ? null
      : new OutputFolder(outputFolder, { spawner, shellPath, clock, flow })

  async function prepare(start: StartRequest, checked = true): Promise<Gate> {
    const launch = launchOf(start, ownUser, checked)
    const now = clock.now().getTime()
    const outputSettings = { loggerPath, ownUid: ownIds.uid, now, folder }
    const output = await openJobOutput(start, outputSettings)
    let gateProcess: GateProcess
    try {
      const launched = await launchGate(launch, output, ownIds, { spawner, shellPath, setprivPath })
      gateProcess = new GateProcess(launched, launch, start, { clock, limits, flow })
    } catch (error) {
      output.abandon()
      throw error
    } finally {
      output.close()
    }
    const gate = new SystemGate(await gateProcess.ready(), gateProcess)
    const path = checked ? gateProcess.programPath : null
    if (path === null || path === defaultShell || !(await formats.isBareText(path))) return gate
    gate.abandon()
    await gate.exited
    throw formatRefusal(launch)
  }

  return {
    prepare,
    isAlive: isProcessAlive,
    signal: signalGroup,
    resumeOutput: (owner, onLine) => {
      const resumed = folder?.resume(owner, onLine) ?? []
      return () => drained(resumed, limits.drainMs, clock)
    },
    output: folder,
    checkGate: () => checkGateOf(prepare, shellPath),
  }
}

function launchOf(start: StartRequest, ownUser: OwnUser, checked: boolean): GateLaunch {
  const { settings } = start
  return {
    words: wordsOf(settings),
    environment: jobEnvironment(start, ownUser),
    account: settings.account,
    folder: folderOf(settings, ownUser),
    umask: settings.umask,
    hasInput: settings.stdin !== null,
    checked,
  }
}

function wordsOf({ command, env }: RunSettings): readonly [string, ...string[]] {
  if (command.kind === 'shell') return [env['SHELL'] ?? defaultShell, '-c', command.text]
  const [program] = command.words
  // The `exec` of some shells would take it for an option.
  if (program !== '' && !program.startsWith('-')) return command.words
  throw new ExecutionError('KRON_EXECUTION', `command can't be ${quotePath(program)}`, {
    field: 'command',
    value: program,
    allowed: 'a path, or a name that does not begin with -',
  })
}

function folderOf({ cwd, account }: RunSettings, ownUser: OwnUser): GateLaunch['folder'] {
  if (cwd === null) {
    const { home } = account ?? ownUser
    return { path: home.startsWith('/') ? home : '/', optional: true }
  }
  if (cwd.startsWith('/') && !cwd.includes('\0')) return { path: cwd, optional: false }
  throw new ExecutionError(
    'KRON_EXECUTION',
    `cwd must be an absolute path, got ${quotePath(cwd)}`,
    {
      field: 'cwd',
      value: cwd,
      allowed: 'an absolute path',
    },
  )
}

/** A user id without an entry in the system's files has a number for a name. */
function ownUserOf(uid: number): OwnUser {
  try {
    const { username, homedir } = userInfo()
    return { name: username, home: homedir }
  } catch {
    return { name: `${uid}`, home: '/' }
  }
}
