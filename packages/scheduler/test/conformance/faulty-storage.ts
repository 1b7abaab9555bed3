import type { ScheduleChange, Storage, StoredSchedule, TaskRecord } from '@kron/scheduler'
import { changed } from './stored.js'

/** Where a storage fails: before or after a call did its work, or at one of many records. */
export type Fault =
  | { readonly at: 'open' | 'change'; readonly when: 'before' | 'after' }
  | { readonly at: 'read' | 'added' | 'replaced'; readonly record: number }

export class InjectedError extends Error {}

/** Fails as it is told, as long as there is a fault. */
export class FaultySwitch {
  fault: Fault | null = null
  readonly storage: Storage

  constructor(inner: Storage) {
    this.storage = changed(inner, {
      open: () => this.#around('open', () => inner.open()),
      change: (decide) =>
        this.#around('change', () =>
          inner.change((stored) => this.#written(decide(this.#read(stored)))),
        ),
    })
  }

  async #around(at: 'open' | 'change', work: () => Promise<void>): Promise<void> {
    this.#failAt(at, 'before')
    await work()
    this.#failAt(at, 'after')
  }

  #failAt(at: string, when: string): void {
    const { fault } = this
    if (fault?.at === at && 'when' in fault && fault.when === when) throw new InjectedError(when)
  }

  #read(stored: StoredSchedule): StoredSchedule {
    return { ...stored, tasks: this.#broken('read', stored.tasks) }
  }

  #written(change: ScheduleChange): ScheduleChange {
    return {
      ...change,
      added: this.#broken<TaskRecord>('added', change.added),
      replaced: this.#broken<TaskRecord>('replaced', change.replaced),
    }
  }

  *#broken<Value>(at: string, values: Iterable<Value>): Generator<Value> {
    const { fault } = this
    const last = fault?.at === at && 'record' in fault ? fault.record : Number.POSITIVE_INFINITY
    let index = 0
    for (const value of values) {
      if (index++ === last) throw new InjectedError(`${at} ${last}`)
      yield value
    }
    if (index === last) throw new InjectedError(`after the last ${at}`)
  }
}
