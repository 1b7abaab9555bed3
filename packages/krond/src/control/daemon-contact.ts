import { SystemError } from '@kron/core'
import { type Clock, systemClock } from '@kron/runtime'
import type { ConfigurationSources } from '../configuration/read-configuration.js'
import { errnoOf } from '../disk/disk.js'
import type { LockInfo } from '../lock/holder-file.js'
import { readStateLock } from '../lock/state-lock.js'
import type { leaveSignal } from './signal-source.js'

/** A daemon that holds the lock of a state folder. */
export interface RunningDaemon {
  readonly pid: number
  readonly info: LockInfo
}

/** How a command reaches the daemon: the lock says who it is, signals say what is wanted. */
export interface DaemonContact {
  readonly clock: Clock
  find(folder: string): RunningDaemon | null
  signal(pid: number, signal: 'SIGTERM' | 'SIGHUP' | typeof leaveSignal): void
}

export function systemContact(): DaemonContact {
  return {
    clock: systemClock(),
    find: (folder) => foundDaemon(() => readStateLock(folder)),
    signal(pid, signal) {
      try {
        process.kill(pid, signal)
      } catch (error) {
        const reason = errnoOf(error) ?? 'failed'
        const details = { field: 'pid', value: pid, reason }
        const message = `can't send ${signal} to krond (process ${pid}): ${reason}`
        throw new SystemError('KRON_SYSTEM', message, details)
      }
    },
  }
}

/** Each look takes some milliseconds; a daemon needs far less to write its line. */
const maxLooks = 20

/**
 * A lock that is held but names nobody belongs to a daemon that is writing there just now, so it
 * is looked at again: to take it for no daemon would be an answer that is wrong a moment later.
 */
export function foundDaemon(look: () => ReturnType<typeof readStateLock>): RunningDaemon | null {
  for (let looks = 1; ; looks++) {
    const { held, info } = look()
    const pid = info?.['pid']
    if (held && info !== null && typeof pid === 'number') return { pid, info }
    if (!held || looks === maxLooks) return null
  }
}

export function requireDaemon(contact: DaemonContact, folder: string): RunningDaemon {
  const daemon = contact.find(folder)
  if (daemon !== null) return daemon
  throw new SystemError('KRON_DAEMON_ABSENT', `no krond runs on ${folder}`, {
    field: 'state',
    value: folder,
    allowed: 'the state folder of a running daemon',
    hint: 'hint: start one with krond start, or name another folder with --state',
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

/** Of the paths that a daemon tells: all that it says of itself has to fit into one line. */
const maxBytes = 4096

/** What a daemon says of the files that it was started with, so that others need not guess. */
export function toldSources({ krontabs, crontabs }: ConfigurationSources): LockInfo {
  const told = { krontabs, crontabs }
  return Buffer.byteLength(JSON.stringify(told)) <= maxBytes ? told : {}
}

/** The files of a running daemon; null when it did not say, as one of an older version. */
export function sourcesOfDaemon(info: LockInfo): ConfigurationSources | null {
  const { krontabs, crontabs } = info
  return isPaths(krontabs) && isPaths(crontabs) ? { krontabs, crontabs } : null
}

const isPaths = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((path) => typeof path === 'string' && path.startsWith('/'))
