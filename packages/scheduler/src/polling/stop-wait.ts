import type { Run } from './run.js'

/**
 * A call of `stop` that has not returned. Runs of one scheduler may stop another, and the other way
 * round, so who waits for whom is kept with the runs, of any scheduler.
 */
export class StopWait {
  /** The run from inside of which it was called; null: none. */
  readonly caller: Run | null
  /** Those whose end it waits for. */
  readonly #runs: readonly Run[]
  /** Somebody may wait for less than before, or for something else. */
  readonly #look: () => void

  constructor(caller: Run | null, runs: readonly Run[], look: () => void) {
    this.caller = caller
    this.#runs = runs
    this.#look = look
  }

  begin(): void {
    for (const run of this.#runs) run.awaitedBy = added(run.awaitedBy, this)
    if (this.caller !== null) {
      this.caller.stopWaits = added(this.caller.stopWaits, this)
      lookAgain(this.caller)
    }
    this.#look()
  }

  end(): void {
    for (const run of this.#runs) run.awaitedBy?.delete(this)
    this.caller?.stopWaits?.delete(this)
  }

  look(): void {
    this.#look()
  }

  /**
   * Whether it waits for nothing but runs that wait, however indirectly, for the run that called it:
   * they can't end before it returns, so to wait for them would be to wait for ever.
   */
  get isFree(): boolean {
    const { caller } = this
    return this.#runs.every(
      (run) => run.hasEnded || run === caller || (caller !== null && isHeldBy(run, caller)),
    )
  }

  isHeldBy(target: Run, seen: Set<Run>): boolean {
    return this.#runs.some(
      (run) => !run.hasEnded && (run === target || isHeldBy(run, target, seen)),
    )
  }
}

/** A run has ended, or began to wait: who waits for it looks again, and who waits for that one. */
export function lookAgain(run: Run, seen = new Set<Run>()): void {
  if (seen.has(run)) return
  seen.add(run)
  for (const wait of [...(run.awaitedBy ?? [])]) {
    wait.look()
    if (wait.caller !== null) lookAgain(wait.caller, seen)
  }
}

/** Until these have ended, for a stop that was called from inside a run, or from none. */
export async function untilEnded(caller: Run | null, runs: readonly Run[]): Promise<void> {
  await new Promise<void>((resolve) => {
    const wait = new StopWait(caller, runs, () => {
      if (!wait.isFree) return
      wait.end()
      resolve()
    })
    wait.begin()
  })
}

function isHeldBy(run: Run, target: Run, seen = new Set<Run>()): boolean {
  if (seen.has(run)) return false
  seen.add(run)
  return [...(run.stopWaits ?? [])].some((wait) => wait.isHeldBy(target, seen))
}

function added(waits: Set<StopWait> | null, wait: StopWait): Set<StopWait> {
  return (waits ?? new Set()).add(wait)
}
