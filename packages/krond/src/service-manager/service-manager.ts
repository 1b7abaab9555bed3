import type { Clock, Log } from '@kron/runtime'
import { type NotificationTarget, notificationTarget, notify } from './notification.js'
import { type Ping, pingWatchdog, watchdogIntervalMs } from './watchdog.js'

/**
 * The service manager that started the daemon, if there is one, and what it hears from us. Nothing
 * here rejects, and messages arrive in order; a manager that can't be reached is an error in the
 * log.
 */
export interface ServiceManager {
  /** After start-up, and again after each reload. The status is shown to people. */
  ready(status?: string): Promise<void>
  /** A reload has begun; `ready` must follow, whether or not the reload succeeded. */
  reloading(): Promise<void>
  stopping(status?: string): Promise<void>
  /**
   * Reports twice in each watchdog interval that all is well, until the signal. It goes on while
   * the daemon stops, since that may take as long as its jobs do.
   */
  watch(isHealthy: () => boolean, signal: AbortSignal): Promise<void>
}

export interface ServiceEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly pid: number
  readonly clock: Clock
  readonly log: Log
  /** For tests; else `systemd-notify`, since Node has no datagram sockets of the Unix kind. */
  readonly notifyPath?: string
}

const nobodyAsked: ServiceManager = {
  ready: async () => undefined,
  reloading: async () => undefined,
  stopping: async () => undefined,
  watch: async () => undefined,
}

/** systemd, when it asked for notifications; otherwise nobody. */
export function serviceManager(environment: ServiceEnvironment): ServiceManager {
  const target = notificationTarget(environment)
  if (target === null) return nobodyAsked
  const { env, pid, clock, log } = environment
  const tell = inOrder(target, log)
  return {
    ready: (status) => tell('READY=1', ...statusOf(status)),
    // Type=notify-reload also wants to know when; CLOCK_MONOTONIC is what hrtime reads on Linux.
    reloading: () => tell('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`),
    stopping: (status) => tell('STOPPING=1', ...statusOf(status)),
    async watch(isHealthy, signal) {
      const intervalMs = watchdogIntervalMs(env, pid)
      if (intervalMs === null) return
      const ping: Ping = () => tell('WATCHDOG=1')
      await pingWatchdog({ ping, isHealthy, intervalMs, clock, log, signal })
    },
  }
}

type Tell = (...assignments: string[]) => Promise<void>

/**
 * One at a time: a READY that overtakes its RELOADING would leave the service reloading for ever
 * in the eyes of systemd.
 */
function inOrder(target: NotificationTarget, log: Log): Tell {
  let last = Promise.resolve()
  return (...assignments) => {
    last = last
      .then(() => notify(target, assignments))
      .catch((error: unknown) => log.failure(error, { operation: 'notify_service_manager' }))
    return last
  }
}

/** A line break would begin another assignment. */
function statusOf(status: string | undefined): string[] {
  return status === undefined ? [] : [`STATUS=${status.replaceAll(/\p{Cc}+/gu, ' ')}`]
}
