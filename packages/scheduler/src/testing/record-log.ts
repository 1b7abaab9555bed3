import type { InstantSpan } from './instant-set.js'
import type { Moment } from './moment.js'

type Entry =
  | { readonly task: string | null; readonly at: Moment }
  | { readonly stepFrom: Moment; readonly landing: Moment }

/**
 * Starts and ends that were recorded since a list became Active, and the clock steps between them.
 * Each record says that the clock was watched until then, and nothing says so of the time after.
 */
export class RecordLog {
  #entries: Entry[] = []

  initialized(at: Moment): void {
    this.#entries = [{ task: null, at }]
  }

  recorded(task: string, at: Moment): void {
    this.#entries.push({ task, at })
  }

  stepped(stepFrom: Moment, landing: Moment): void {
    this.#entries.push({ stepFrom, landing })
  }

  /** The last records of these tasks may be lost, or all since an outage began. */
  doubt(uncertain: readonly string[], downSince: number | null): void {
    const lost = new Set<string | null>(uncertain)
    const since = downSince ?? Number.POSITIVE_INFINITY
    const isCertain = (entry: Entry) =>
      'task' in entry &&
      !lost.delete(entry.task) &&
      (entry.task === null || entry.at.elapsed < since)
    const kept = this.#entries.findLastIndex(isCertain) + 1
    const steps = this.#entries.slice(kept).filter((entry) => 'landing' in entry)
    this.#entries = [...this.#entries.slice(0, kept), ...steps]
  }

  /** Where the wall clock has been since the last record. */
  unrecordedUntil(now: Moment): InstantSpan[] {
    const spans: InstantSpan[] = []
    let to = now.wall
    for (const entry of this.#entries.toReversed()) {
      if ('task' in entry) return [{ from: entry.at.wall, to }, ...spans]
      spans.unshift({ from: entry.landing.wall, to })
      to = entry.stepFrom.wall
    }
    return []
  }
}
