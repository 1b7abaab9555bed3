import { type ExitCode, exitCodes, secondsArgument } from '@kron/command'
import { ConfigurationError, SystemError } from '@kron/core'
import type { Invocation } from '../command/invocation.js'
import { type DaemonContact, polled, requireDaemon, systemContact } from './daemon-contact.js'
import { leaveSignal } from './signal-source.js'

const answerMs = 30_000

/** `krond reload`: the daemon reads its files again, and says whether it could use them. */
export async function reloadCommand(
  invocation: Invocation,
  folder: string,
  contact: DaemonContact = systemContact(),
): Promise<ExitCode> {
  const { pid, info } = requireDaemon(contact, folder)
  contact.signal(pid, 'SIGHUP')
  const answer = await polled(contact.clock, answerMs, () => {
    const now = contact.find(folder)
    if (now?.pid !== pid) throw gone(pid)
    return now.info['reloadedAt'] === info['reloadedAt'] ? null : now.info
  })
  if (answer === null) throw silent(pid)
  const failure = answer['reloadFailure']
  if (typeof failure === 'string') {
    const message = `krond keeps its old jobs: ${failure}`
    const hint = 'hint: krontab lint shows all errors'
    throw new ConfigurationError('KRON_KRONTAB_SYNTAX', message, { field: 'file', hint })
  }
  if (invocation.format === 'json') invocation.printJson({ reloaded: true, pid })
  else invocation.printLines([`krond (process ${pid}) has reloaded`])
  return exitCodes.success
}

function gone(pid: number): SystemError {
  const details = { field: 'pid', value: pid }
  return new SystemError('KRON_DAEMON_ABSENT', `krond (process ${pid}) has ended`, details)
}

function silent(pid: number): SystemError {
  return new SystemError('KRON_SYSTEM', `krond (process ${pid}) does not answer`, {
    field: 'pid',
    value: pid,
    hint: 'hint: its log shows what it does',
  })
}

export interface StopOptions {
  /** Whether it is to end at once, and leave running jobs to the next daemon. */
  readonly leave: boolean
  readonly timeout: string
}

const maxTimeoutMs = 86_400_000

/** `krond stop`: asks the daemon to stop and waits until it has. */
export async function stopCommand(
  invocation: Invocation,
  folder: string,
  options: StopOptions,
  contact: DaemonContact = systemContact(),
): Promise<ExitCode> {
  const timeoutMs = secondsArgument('--timeout', options.timeout, 0, maxTimeoutMs)
  const { pid } = requireDaemon(contact, folder)
  contact.signal(pid, options.leave ? leaveSignal : 'SIGTERM')
  const isOver = () => (contact.find(folder)?.pid === pid ? null : true)
  if ((await polled(contact.clock, timeoutMs, isOver)) === null) {
    throw new SystemError('KRON_SYSTEM', `krond (process ${pid}) still runs`, {
      field: '--timeout',
      value: options.timeout,
      hint: 'hint: it waits for its jobs; krond stop --leave leaves them to the next krond',
    })
  }
  if (invocation.format === 'json') invocation.printJson({ stopped: true, pid })
  else invocation.printLines([`krond (process ${pid}) has stopped`])
  return exitCodes.success
}
