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
  const finished = input.jobs.filter((job) => job.state !== 'active' && job.deletingSince === null)
  const surplus = [
    ...beyond(finished, 'succeeded', input.successfulLimit),
    ...beyond(finished, 'failed', input.failedLimit),
  ]
  const newest = newestPeriod(input.jobs)
  const stays = surplus.find((job) => job.period !== null && job.period.nominalTime === newest)
  const until = stays === undefined ? null : lastChance(stays, input.deadlineMs)
  if (until === null || input.now > until) return { remove: surplus.sort(byEnd), again: null }
  return { remove: surplus.filter((job) => job !== stays).sort(byEnd), again: until + 1000 }
}

function beyond(jobs: readonly OwnedJob[], state: OwnedJob['state'], limit: number): OwnedJob[] {
  const all = jobs.filter((job) => job.state === state).sort(byEnd)
  return all.slice(0, Math.max(0, all.length - limit))
}

function newestPeriod(jobs: readonly OwnedJob[]): number | null {
  let newest: number | null = null
  for (const { period } of jobs) {
    if (period !== null) newest = Math.max(newest ?? period.nominalTime, period.nominalTime)
  }
  return newest
}

const lastChance = ({ period }: OwnedJob, deadlineMs: number): number | null =>
  period === null || period.chosenTime === null
    ? null
    : period.chosenTime + deadlineMs + clockMarginMs

const byEnd = (a: OwnedJob, b: OwnedJob): number =>
  (a.finishedAt ?? a.createdAt) - (b.finishedAt ?? b.createdAt) ||
  a.createdAt - b.createdAt ||
  (a.name < b.name ? -1 : 1)
