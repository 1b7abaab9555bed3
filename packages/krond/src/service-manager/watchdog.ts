import { SystemError } from '@kron/core'
import type { Clock, Log } from '@kron/runtime'

export type Ping = () => Promise<void>

export interface Watchdog {
  readonly ping: Ping
  readonly isHealthy: () => boolean
  readonly intervalMs: number
  readonly clock: Pick<Clock, 'sleep'>
  readonly log: Log
  readonly signal: AbortSignal
}

/** Nobody notices a daemon that hangs for longer than this; also what a timer can hold. */
const longestIntervalMs = 86_400_000

/** Within what time systemd wants a sign of life, or null when it wants none from this process. */
export function watchdogIntervalMs(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | null {
  const { WATCHDOG_USEC: micros = '', WATCHDOG_PID: forPid } = env
  if (!/^\d+$/.test(micros) || Number(micros) === 0) return null
  if (forPid !== undefined && forPid !== String(pid)) return null
  return Math.min(Number(micros) / 1000, longestIntervalMs)
}

/**
 * Pings twice in each interval as long as all is well, until the signal. While it is not, health is
 * looked at more often: a wall clock that was set forward makes a daemon look stuck for a moment,
 * and half an interval later would be too late.
 */
export async function pingWatchdog(watchdog: Watchdog): Promise<void> {
  const { ping, intervalMs, clock, log, signal } = watchdog
  let wasHealthy = true
  while (!signal.aborted) {
    const healthy = isHealthy(watchdog)
    if (healthy) await ping()
    else if (wasHealthy) log.failure(notHealthy(intervalMs), { operation: 'watchdog' })
    wasHealthy = healthy
    if (!(await slept(clock, intervalMs / (healthy ? 2 : 20), signal))) return
  }
}

function isHealthy(watchdog: Watchdog): boolean {
  try {
    return watchdog.isHealthy()
  } catch (error) {
    watchdog.log.failure(error, { operation: 'watchdog' })
    return false
  }
}

async function slept(clock: Watchdog['clock'], ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal)
    return true
  } catch {
    return false
  }
}

/** systemd ends the daemon soon; the log should say why. */
function notHealthy(intervalMs: number): SystemError {
  return new SystemError(
    'KRON_SYSTEM',
    `krond does not keep up, so the watchdog gets no sign of life; ` +
      `the service manager ends krond if this lasts ${intervalMs} ms`,
    { field: 'watchdog', value: intervalMs },
  )
}
