/** Longer than the chain of functions that any callback has between itself and `stop`. */
const deepestChain = 200

/**
 * Calls a callback and awaits its end. What it awaits, however indirectly, has this
 * function in its asynchronous stack: V8 keeps track of which async function awaits which.
 */
export async function awaitCallbackOfRun(callback: () => unknown): Promise<unknown> {
  return await callback()
}

/**
 * Whether the async function that calls this is awaited, in the end, by a callback. Nothing else in
 * the language tells a promise that somebody waits for from one that was dropped. A chain of `then`
 * is not seen, and neither is anything on another engine: false says that nobody knows.
 */
export function isAwaitedByRun(): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error
  let isAwaited = false
  try {
    Error.stackTraceLimit = deepestChain
    Error.prepareStackTrace = (_, sites) => {
      isAwaited = sites.some((site) => site.getFunctionName() === awaitCallbackOfRun.name)
    }
    const stack: { stack?: unknown } = {}
    Error.captureStackTrace(stack)
    // It is written when it is first read.
    if (typeof stack.stack === 'string') return false
  } catch {
    return false
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    Error.prepareStackTrace = prepareStackTrace
  }
  return isAwaited
}
