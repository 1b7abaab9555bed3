import type { Run } from './run.js'

/** A call of `stop` that has not returned. */
export interface StopWait {
  /** The run from inside of which it was called, of whichever scheduler; null: none. */
  readonly caller: Run | null
  /** Those whose end it waits for. */
  readonly runs: () => readonly Run[]
  /** Somebody may wait for less than before, or for something else. */
  readonly look: () => void
}

/** Of all schedulers in this process: runs of one may stop another, and each other's. */
const waits = new Set<StopWait>()

export function beginWait(wait: StopWait): void {
  waits.add(wait)
  lookAgain()
}

export function endWait(wait: StopWait): void {
  waits.delete(wait)
}

/** A run has ended, or began to wait. */
export function lookAgain(): void {
  for (const wait of [...waits]) wait.look()
}

/**
 * Whether it waits for nothing but runs that wait, however indirectly, for the run that called it:
 * they can't end before it returns, so to wait for them would be to wait for ever.
 */
export function isFree({ caller, runs }: StopWait): boolean {
  return runs().every((run) => run.hasEnded || run === caller || waitsFor(run, caller, new Set()))
}

function waitsFor(run: Run, target: Run | null, seen: Set<Run>): boolean {
  if (target === null || seen.has(run)) return false
  seen.add(run)
  for (const { caller, runs } of waits) {
    if (caller !== run) continue
    if (runs().some((other) => other === target || waitsFor(other, target, seen))) return true
  }
  return false
}

/** Until these have ended, for a stop that was called from inside a run, or from none. */
export async function untilEnded(caller: Run | null, runs: readonly Run[]): Promise<void> {
  let look: () => void = () => undefined
  const over = new Promise<void>((resolve) => {
    look = () => {
      if (isFree(wait)) resolve()
    }
  })
  const wait: StopWait = { caller, runs: () => runs, look: () => look() }
  beginWait(wait)
  await over
  endWait(wait)
}
