import { spawn } from 'node:child_process'
import { quotePath, SystemError } from '@kron/core'
import { messageOf } from '@kron/runtime'

/** A socket of the service manager, and the program that can write to it. */
export interface NotificationTarget {
  readonly socket: string
  readonly program: string
  readonly searchPath: string
}

interface NotificationSource {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly notifyPath?: string
}

const defaultSearchPath = '/usr/bin:/bin:/usr/sbin:/sbin'

/** systemd-notify itself waits 5 s for the manager to have read what it sent. */
const longestMs = 10_000

export function notificationTarget(source: NotificationSource): NotificationTarget | null {
  const { env, notifyPath = 'systemd-notify' } = source
  const socket = env['NOTIFY_SOCKET']
  if (socket === undefined || socket === '') return null
  return { socket, program: notifyPath, searchPath: env['PATH'] || defaultSearchPath }
}

/**
 * Resolves when the manager has read the assignments.
 *
 * As root systemd-notify sends in the name of the process that called it, which is the daemon, so
 * that NotifyAccess=main is enough and no job can speak for it. Without that privilege it sends in
 * its own name, which takes NotifyAccess=all. It does not end before the manager has read the
 * message, so the manager still finds out whose process it is; hence no --no-block. And no --pid=:
 * that would also send MAINPID=, which is right already when the unit starts the daemon itself.
 */
export function notify(target: NotificationTarget, assignments: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (reason: string, cause?: unknown): void => {
      const message = `could not notify the service manager: ${reason}`
      const details = { field: 'NOTIFY_SOCKET', value: target.socket, assignments }
      reject(new SystemError('KRON_SYSTEM', message, details, { cause }))
    }
    try {
      const child = spawn(target.program, [...assignments], {
        env: { PATH: target.searchPath, NOTIFY_SOCKET: target.socket },
        stdio: 'ignore',
        timeout: longestMs,
        killSignal: 'SIGKILL',
      })
      child.once('error', (error) => failed(error.message, error))
      child.once('exit', (code, signal) => {
        if (code === 0) resolve()
        else failed(`${quotePath(target.program)} ended with ${signal ?? `exit code ${code}`}`)
      })
    } catch (error) {
      failed(messageOf(error), error)
    }
  })
}
