import { type Job, takenOverAt } from '@kron/core'

/** How often something starts in each bucket of a stretch of time. */
export interface StartCounts {
  readonly from: number
  readonly bucketMs: number
  readonly withoutWindows: Uint32Array
  readonly withWindows: Uint32Array
  /** Periods of the stretch that no start came of. */
  readonly unschedulable: number
}

export interface CountRequest {
  readonly jobs: readonly Job[]
  readonly from: number
  readonly buckets: number
  readonly bucketMs: number
  /** Told after each job how many are done. */
  readonly onProgress?: (done: number) => void
}

/** The most starts that are counted, without windows; beyond it, the answer is null. */
export const maxStarts = 20_000_000

export function countStarts(request: CountRequest): StartCounts | null {
  const { jobs, from, buckets, bucketMs } = request
  const until = from + buckets * bucketMs
  const withoutWindows = new Uint32Array(buckets)
  // This is the cheap half. Doing it first finds out early that there is too much to count.
  let starts = 0
  for (const job of jobs) {
    starts += countNominal(job, from, until, bucketMs, withoutWindows)
    if (starts > maxStarts) return null
  }
  const withWindows = new Uint32Array(buckets)
  let unschedulable = 0
  for (const [index, job] of jobs.entries()) {
    unschedulable += countChosen(job, from, until, bucketMs, withWindows)
    request.onProgress?.(index + 1)
  }
  return { from, bucketMs, withoutWindows, withWindows, unschedulable }
}

function countNominal(
  job: Job,
  from: number,
  until: number,
  bucketMs: number,
  counts: Uint32Array,
): number {
  let starts = 0
  let nominal = job.nextPeriod(from - 1)
  while (nominal !== null && nominal < until && starts <= maxStarts) {
    counts[Math.floor((nominal - from) / bucketMs)]!++
    starts++
    nominal = job.nextPeriod(nominal)
  }
  return starts
}

/** Answers the number of unschedulable periods whose nominal time is in the stretch. */
function countChosen(
  job: Job,
  from: number,
  until: number,
  bucketMs: number,
  counts: Uint32Array,
): number {
  const { window, constraints } = job.spec
  const free = constraints.only.length + constraints.avoid.length === 0
  if (window.duration === 0 && free) {
    countNominal(job, from, until, bucketMs, counts)
    return 0
  }
  let unschedulable = 0
  // A period whose nominal time is outside of the stretch may still choose a time in it.
  const { before, after } = reachOf(window)
  let nominal = job.nextPeriod(from - 1 - after)
  while (nominal !== null && nominal < until + before) {
    const { chosenTime } = job.decide(nominal)
    const following = job.nextPeriod(nominal)
    if (chosenTime === null) {
      if (nominal >= from && nominal < until) unschedulable++
    } else if (chosenTime >= from && chosenTime < until) {
      // Only where windows come close is it worth asking whether the period is superseded.
      const isClose = following !== null && chosenTime + before >= following
      if (!isClose || takenOverAt(job, nominal, chosenTime) === null) {
        counts[Math.floor((chosenTime - from) / bucketMs)]!++
      }
    }
    nominal = following
  }
  return unschedulable
}

/** How far a window goes to either side of the nominal time, at most. */
function reachOf({ mode, duration }: Job['spec']['window']): { before: number; after: number } {
  const whole = Math.ceil(duration / 1000) * 1000
  if (mode === 'after') return { before: 0, after: whole }
  return mode === 'before' ? { before: whole, after: 0 } : { before: whole, after: whole }
}
