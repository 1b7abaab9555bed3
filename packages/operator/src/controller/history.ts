import type { OwnedJob } from '../job/index.js'

export interface HistoryInput {
  readonly jobs: readonly OwnedJob[]
  readonly successfulLimit: number
  readonly failedLimit: number
  readonly deadlineMs: number
  readonly now: number
}

export interface Pruning {
  /** Oldest first. */
  readonly remove: readonly OwnedJob[]
  /** When there is more to remove that has to stay until then. */
  readonly again: number | null
}

/** Clocks of two controllers may differ by so much. */
const clockMarginMs = 60_000

/**
 * Which finished Jobs go. The newest one is the proof that its period was executed, the only one if
 * the status gets lost. So it stays while its period could still be executed: up to its deadline.
 */
export function pruning(input: HistoryInput): Pruning {
  const staying = input.jobs.filter((job) => job.deletingSince === null)
  const surplus = [
    ...beyond(staying, 'succeeded', input.successfulLimit),
    ...beyond(staying, 'failed', input.failedLimit),
  ].sort(byEnd)
  const newest = newestPeriod(input.jobs)
  const stays = surplus.find((job) => job.period?.nominalTime === newest)
  const until = lastChance(stays, input.deadlineMs)
  if (input.now > until) return { remove: surplus, again: null }
  return { remove: surplus.filter((job) => job !== stays), again: until + 1000 }
}

function beyond(jobs: readonly OwnedJob[], state: OwnedJob['state'], limit: number): OwnedJob[] {
  const all = jobs.filter((job) => job.state === state).sort(byEnd)
  return all.slice(0, Math.max(0, all.length - limit))
}

/** That of the last period that has a Job; never, if none has. */
function newestPeriod(jobs: readonly OwnedJob[]): number {
  const nominalTimes = jobs.map(({ period }) => period?.nominalTime ?? never)
  return nominalTimes.reduce((newest, time) => Math.max(newest, time), never)
}

function lastChance(job: OwnedJob | undefined, deadlineMs: number): number {
  return (job?.period?.chosenTime ?? never) + deadlineMs + clockMarginMs
}

const never = Number.NEGATIVE_INFINITY

const byEnd = (a: OwnedJob, b: OwnedJob): number =>
  (a.finishedAt ?? a.createdAt) - (b.finishedAt ?? b.createdAt) ||
  a.createdAt - b.createdAt ||
  (a.name < b.name ? -1 : 1)
