import { SystemError } from '@kron/core'
import type { Clock } from '@kron/runtime'
import { type LockInfo, readStateLock } from '../lock/index.js'

/** A daemon that holds the lock of a state folder. */
export interface RunningDaemon {
  readonly pid: number
  readonly info: LockInfo
}

/** How a command reaches the daemon: the lock says who it is, signals say what is wanted. */
export interface DaemonContact {
  readonly clock: Clock
  find(folder: string): RunningDaemon | null
  signal(pid: number, signal: 'SIGTERM' | 'SIGHUP'): void
}

export function systemContact(clock: Clock): DaemonContact {
  return {
    clock,
    find(folder) {
      const { held, info } = readStateLock(folder)
      const pid = info?.['pid']
      return held && info !== null && typeof pid === 'number' ? { pid, info } : null
    },
    signal(pid, signal) {
      try {
        process.kill(pid, signal)
      } catch (error) {
        const reason = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
        const details = { field: 'pid', value: pid, reason }
        const message = `can't send ${signal} to krond (process ${pid}): ${reason}`
        throw new SystemError('KRON_SYSTEM', message, details)
      }
    },
  }
}

export function requireDaemon(contact: DaemonContact, folder: string): RunningDaemon {
  const daemon = contact.find(folder)
  if (daemon !== null) return daemon
  throw new SystemError('KRON_DAEMON_ABSENT', `no krond runs on ${folder}`, {
    field: 'state',
    value: folder,
    allowed: 'the state folder of a running daemon',
    hint: 'hint: krond start begins one; --state names another folder',
  })
}

const pollMs = 50

/** Asks again and again until there is an answer; null when the time is over. */
export async function polled<T>(
  clock: Clock,
  timeoutMs: number,
  ask: () => T | null,
): Promise<T | null> {
  for (let waited = 0; ; waited += pollMs) {
    const answer = ask()
    if (answer !== null || waited >= timeoutMs) return answer
    await clock.sleep(pollMs)
  }
}
