import { latestInstant, quote, ValidationError } from '@kron/core'

/** Refuses what no clock can wait for: no number at all, or an end that no date can hold. */
export function checkSleepArguments(ms: unknown, signal: unknown, nowMs: number): void {
  if (typeof ms !== 'number' || !Number.isFinite(ms)) {
    throw new ValidationError(
      'KRON_DURATION_INVALID',
      `ms must be a finite number of milliseconds, got ${quote(ms)}`,
      { field: 'ms', value: ms, allowed: 'a finite number' },
    )
  }
  const longest = latestInstant - nowMs
  if (ms > longest) {
    throw new ValidationError(
      'KRON_DURATION_TOO_LONG',
      `ms must end at an instant that a date can hold, at most ${longest} from now, got ${ms}`,
      { field: 'ms', value: ms, allowed: `at most ${longest}` },
    )
  }
  if (signal !== undefined && !isAbortSignal(signal)) {
    throw new ValidationError(
      'KRON_FIELD_INVALID',
      `signal must be an AbortSignal or left out, got ${quote(signal)}`,
      { field: 'signal', value: signal, allowed: 'an AbortSignal' },
    )
  }
}

/** By shape, since a signal of another realm is as good. */
function isAbortSignal(value: unknown): value is AbortSignal {
  if (typeof value !== 'object' || value === null) return false
  const signal = value as Partial<AbortSignal>
  return (
    typeof signal.aborted === 'boolean' &&
    typeof signal.addEventListener === 'function' &&
    typeof signal.removeEventListener === 'function'
  )
}

/**
 * A wait that the signal can end early. `begin` starts it, calls `finish` later (never at once)
 * and returns how to cancel it. However it ends, no listener stays on the signal: a signal often
 * lives as long as its host, and would collect one for every sleep.
 */
export function abortableWait(
  signal: AbortSignal | undefined,
  begin: (finish: () => void) => () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal === undefined) {
      begin(resolve)
      return
    }
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const onAbort = (): void => {
      signal.removeEventListener('abort', onAbort)
      cancel()
      reject(signal.reason)
    }
    const cancel = begin(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
    signal.addEventListener('abort', onAbort)
  })
}
