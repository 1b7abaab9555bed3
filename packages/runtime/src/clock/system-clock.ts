import type { Clock } from './clock.js'
import { abortableWait, checkSleepArguments } from './sleep.js'

/** A timer with a longer delay would overflow and fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Real time. A pending sleep keeps the process alive; abort it to let go. */
export function systemClock(): Clock {
  return {
    now: () => new Date(),
    async sleep(ms, signal) {
      checkSleepArguments(ms, signal, Date.now())
      await abortableWait(signal, (finish) => startTimers(ms, finish))
    },
  }
}

/** Timers one after the other until `ms` have passed. */
function startTimers(ms: number, finish: () => void): () => void {
  let remainingMs = Math.max(0, Math.ceil(ms))
  let timer: NodeJS.Timeout
  const startNext = (): void => {
    const delayMs = Math.min(remainingMs, longestTimerMs)
    remainingMs -= delayMs
    timer = setTimeout(remainingMs > 0 ? startNext : finish, delayMs)
  }
  startNext()
  return () => clearTimeout(timer)
}
