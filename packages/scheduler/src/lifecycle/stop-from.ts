import { isAwaitedByRun, type Run, untilEnded } from '../polling/index.js'
import type { SchedulerPorts } from './scheduler-options.js'

/** How often it is looked whether a callback awaits the stop by now, and for how long. */
const pauseMs = 1000
const patienceMs = 60_000

/**
 * What a stop answers that was called from inside a callback, once `others` have ended. A callback
 * that awaits it can't end before; one that called it and went on can, and is waited for like any
 * other. Who asks with `then` gets an answer of its own, so that each is looked at by itself: a
 * callback may hand one on to somebody and await another.
 */
export function stopFrom(
  caller: Run,
  others: Promise<void>,
  ports: Pick<SchedulerPorts, 'clock' | 'announcer'>,
): Promise<void> {
  const ended = new AbortController()
  void untilEnded(null, [caller]).then(() => ended.abort())
  let isTold = false
  const caution = (): void => {
    if (isTold) return
    isTold = true
    const task = JSON.stringify(caller.taskName)
    ports.announcer.caution(
      `stop was called by task ${task}, which still runs: stop returns now, ` +
        'since the task may be waiting for it',
    )
  }
  async function answer(): Promise<void> {
    await others
    for (let waitedMs = 0; !caller.hasEnded; waitedMs += pauseMs) {
      if (isAwaitedByRun()) return
      if (waitedMs >= patienceMs) return caution()
      await ports.clock.sleep(pauseMs, ended.signal).catch(() => undefined)
    }
  }
  return Object.defineProperty(answer(), 'then', {
    value: (...handlers: Parameters<Promise<void>['then']>) => answer().then(...handlers),
  })
}
