import type { DaemonView, JobView } from '../daemon/daemon-view.js'

export interface JobPageRequest {
  readonly limit: number
  /** Identity of the last job of the page before. */
  readonly after: string | null
  readonly name: string | null
}

export interface JobPage {
  /** In the order of their identities. */
  readonly jobs: readonly JobView[]
  /** What to give as `after` for the next page; null on the last. */
  readonly next: string | null
}

/**
 * The first jobs behind `after`. One pass that keeps only the page: to sort a hundred thousand jobs
 * for a page of them would hold up the scheduler.
 */
export function jobPage(view: DaemonView, { limit, after, name }: JobPageRequest): JobPage {
  const page: JobView[] = []
  for (const job of view.jobs()) {
    const { identity } = job.hostJob
    if (after !== null && identity <= after) continue
    if (name !== null && job.hostJob.name !== name) continue
    if (page.length > limit && identity >= page[limit]!.hostJob.identity) continue
    page.splice(placeOf(page, identity), 0, job)
    if (page.length > limit + 1) page.pop()
  }
  const jobs = page.slice(0, limit)
  const next = page.length > limit ? jobs.at(-1)!.hostJob.identity : null
  return { jobs, next }
}

/** Where an identity belongs among those that are there, by bisection. */
function placeOf(page: readonly JobView[], identity: string): number {
  let low = 0
  let high = page.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (page[middle]!.hostJob.identity < identity) low = middle + 1
    else high = middle
  }
  return low
}
