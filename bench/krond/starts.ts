import { setTimeout as wait } from 'node:timers/promises'
import { Daemon, homeWith } from './daemon.ts'

export interface Starts {
  readonly jobs: number
  readonly idleJobs: number
  /** From the chosen time to the line that says it was started, in ms. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly lastMs: number
  readonly perSecond: number
}

/** All jobs of one second, on the real clock: the best of some minutes. */
export async function measureStarts(
  jobs: number,
  idleJobs: number,
  minutes: number,
): Promise<Starts> {
  // With a deadline: what waits for a place is to be measured, and not to be missed.
  const busy = Array.from(
    { length: jobs },
    (_, n) => `* * * * * @policy(deadline=50s) name=busy-${n} command=/bin/true`,
  )
  const idle = Array.from(
    { length: idleJobs },
    (_, n) => `0 0 29 2 * name=idle-${n} command=/bin/true`,
  )
  const home = homeWith([...busy, ...idle])
  const daemon = new Daemon(home, ['--max-running', '1000'])
  try {
    const results: Starts[] = []
    await daemon.until(({ event }) => event === 'decision')
    for (let minute = 0; minute < minutes; minute++) {
      await wait(61_000 - (Date.now() % 60_000))
      const period = `${new Date().toISOString().slice(0, 16)}:00Z`
      const due = Date.parse(period)
      const ofPeriod = () =>
        daemon.lines.filter(({ event, period_id }) => event === 'started' && period_id === period)
      for (let waited = 0; ofPeriod().length < jobs && waited < 50_000; waited += 200)
        await wait(200)
      const late = ofPeriod()
        .map(({ time }) => Date.parse(time) - due)
        .sort((a, b) => a - b)
      if (late.length === jobs) results.push(summary(late, idleJobs))
    }
    return results.reduce((best, result) => (result.lastMs < best.lastMs ? result : best))
  } finally {
    await daemon.stop()
    home.remove()
  }
}

function summary(late: readonly number[], idleJobs: number): Starts {
  const jobs = late.length
  const at = (share: number): number => late[Math.min(jobs - 1, Math.floor(jobs * share))]!
  const lastMs = late.at(-1)!
  const perSecond = (jobs - 1) / ((lastMs - late[0]!) / 1000)
  return { jobs, idleJobs, p50Ms: at(0.5), p99Ms: at(0.99), lastMs, perSecond }
}
