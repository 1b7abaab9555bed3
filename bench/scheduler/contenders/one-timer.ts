import { nothingToStop, type Register, type Task } from './contender.ts'

/** No cron at all: one timer to the minute, and a loop over an array. */
export const register: Register = async (tasks, { boundary }) => {
  waitFor(
    boundary,
    tasks.map(({ callback }) => callback),
  )
  return nothingToStop
}

function waitFor(boundary: number, callbacks: readonly Task['callback'][]): void {
  const remaining = boundary - Date.now()
  if (remaining > 0) setTimeout(waitFor, remaining, boundary, callbacks)
  else for (const callback of callbacks) void callback()
}
