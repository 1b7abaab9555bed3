import type { Moment } from './moment.js'

/**
 * Starts and ends that were recorded since a list became Active or the clock was set. Each says that
 * the clock was watched until then, and nothing says so of the time after the last one.
 */
export class RecordLog {
  #from: Moment | null = null
  #records: { readonly task: string; readonly at: Moment }[] = []

  begin(from: Moment): void {
    this.#from = from
    this.#records = []
  }

  recorded(task: string, at: Moment): void {
    this.#records.push({ task, at })
  }

  /** The last records of these tasks may be lost, or all since an outage began. */
  doubt(uncertain: readonly string[], downSince: number | null): void {
    const lost = new Set(uncertain)
    const since = downSince ?? Number.POSITIVE_INFINITY
    const isCertain = ({ task, at }: { task: string; at: Moment }) =>
      !lost.delete(task) && at.elapsed < since
    this.#records.length = this.#records.findLastIndex(isCertain) + 1
  }

  /** Since when nothing is on record, by the wall clock. */
  get unrecordedFrom(): number {
    return (this.#records.at(-1)?.at ?? this.#from)?.wall ?? Number.POSITIVE_INFINITY
  }
}
