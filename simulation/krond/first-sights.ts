import type { HostJob } from '../../packages/krond/src/daemon/index.js'

/** When a daemon of the machine was first given each job with its timing, seen from outside. */
export class FirstSights {
  readonly #now: () => number
  readonly #jobs = new Map<string, HostJob>()
  readonly #sights = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** A daemon starts with these jobs, or is told that they are its jobs now. */
  see(jobs: readonly HostJob[]): void {
    for (const hostJob of jobs) {
      this.#jobs.set(hostJob.identity, hostJob)
      const key = keyOf(hostJob)
      if (!this.#sights.has(key)) this.#sights.set(key, this.#now())
    }
  }

  /** What was seen at a time that is still to come again was seen by now. */
  clockStepped(): void {
    const now = this.#now()
    for (const [key, at] of this.#sights) this.#sights.set(key, Math.min(at, now))
  }

  /** Whether a run is for a time at which nobody had seen the job, which did not ask for that. */
  isBefore(identity: string, chosen: number): boolean {
    const hostJob = this.#jobs.get(identity)
    if (hostJob === undefined || hostJob.job.policy.first === 'run') return false
    return chosen < (this.#sights.get(keyOf(hostJob)) ?? Number.NEGATIVE_INFINITY)
  }
}

const keyOf = ({ identity, job }: HostJob): string => `${identity}\n${job.timing}`
