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
