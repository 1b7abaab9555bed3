import { DueHeap } from '@kron/runtime'
import type { TaskGroup } from './scheduled-task.js'

const msPerMinute = 60_000

/** When the next minute of each expression comes: work is proportional to what is due. */
export class Occurrences {
  readonly #heap = new DueHeap<TaskGroup>()
  readonly #groups: readonly TaskGroup[]

  /** Knows all minutes after `since`. */
  constructor(groups: readonly TaskGroup[], since: number) {
    this.#groups = groups
    for (const group of groups) this.#await(group, since)
  }

  get nextAt(): number {
    return this.#heap.peek()?.due ?? Number.POSITIVE_INFINITY
  }

  /** The groups whose minute has come, each with the latest one, and waits for the one after. */
  *dueAt(now: number): Generator<[group: TaskGroup, minute: number]> {
    for (const group of this.#heap.popDue(now)) {
      const minute = group.latest(now)
      this.#await(group, now)
      if (minute !== null) yield [group, minute]
    }
  }

  /** The clock was set back to `now`: the minute that it shows comes again, and those after it. */
  rewind(now: number): void {
    const minute = now - (now % msPerMinute)
    for (const group of this.#groups) {
      this.#heap.remove(group)
      this.#await(group, minute - 1)
    }
  }

  /** An expression that never comes again is waited for no more. */
  #await(group: TaskGroup, after: number): void {
    const next = group.next(after)
    if (next !== null) this.#heap.set(group, next)
  }
}
