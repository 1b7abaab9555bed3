import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../clock/index.js'

/** How often it is looked whether there is much to give back. */
const lookMs = 10_000
/** For so long nothing may be due: to collect takes a part of a second. */
const quietMs = 2000
const worthwhileBytes = 12_000_000

/** What the collector of V8 takes; Node's types know only the old form. */
type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Gives memory back that was needed only for a while, such as to read ten thousand jobs, or to start
 * a thousand of them. V8 would keep it for the next time; a daemon sleeps most of its life.
 */
export async function keepMemorySmall(
  clock: Clock,
  isQuietFor: (ms: number) => boolean,
  signal: AbortSignal,
): Promise<void> {
  let kept = 0
  while (!signal.aborted) {
    if (isQuietFor(quietMs) && process.memoryUsage().heapTotal > kept + worthwhileBytes) {
      collect()
      kept = process.memoryUsage().heapTotal
    }
    await clock.sleep(lookMs, signal).catch(() => undefined)
  }
}

function collect(): void {
  setFlagsFromString('--expose-gc')
  const collector = runInNewContext('gc') as Collect
  collector({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString('--no-expose-gc')
}
