import { durationArgument, type ExitCode, exitCodes } from '@kron/command'
import { SystemError } from '@kron/core'
import type { Invocation } from '../cli/invocation.js'
import { leaveSignal } from '../start/signal-source.js'
import { type DaemonContact, polled, requireDaemon } from './daemon-contact.js'

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
  contact: DaemonContact,
): Promise<ExitCode> {
  const timeoutMs = durationArgument('--timeout', options.timeout, 0, maxTimeoutMs)
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
