import fc from 'fast-check'
import type { ScheduleChange, StoredSchedule } from '../../src/storage/storage.js'
import { failed, started, succeeded, type TaskRecord } from '../../src/task/task-record.js'
import { changeTo, task } from './stored-conformance.js'

export type Step =
  | { do: 'change'; removed: number[]; replaced: number[]; added: number; owner: string }
  | { do: 'save'; owner: string; ids: number[]; at: number; watched: string }
  | { do: 'reopen' }

const someId = fc.nat({ max: 10 })
const owner = fc.constantFrom('first', 'second')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      owner,
      added: fc.nat(12),
      removed: fc.array(someId, { maxLength: 4 }),
      replaced: fc.array(someId, { maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('save' as const),
      owner,
      at: fc.nat(1e9),
      ids: fc.array(someId, { maxLength: 4 }),
      watched: fc.string({ unit: 'grapheme' }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
)

export const modelSteps = fc.array(step, { maxLength: 8 })

/** What a storage does, as plainly as it can be said. */
export class Model {
  #schedule: Omit<StoredSchedule, 'tasks'> = { schedulerId: null, instanceId: null, watched: null }
  #tasks = new Map<number, TaskRecord>()

  contents(): StoredSchedule {
    return { ...this.#schedule, tasks: [...this.#tasks.values()].sort((a, b) => a.id - b.id) }
  }

  decided({ removed, replaced, added, owner }: Step & { do: 'change' }): ScheduleChange {
    const free = [...Array(20).keys()].filter((id) => !this.#tasks.has(id))
    return changeTo({
      instanceId: owner,
      watched: `since ${owner}`,
      removed,
      replaced: replaced.map((id) => ({ ...this.#record(id), expression: owner })),
      added: free.slice(0, added).map((id) => task(id)),
    })
  }

  records({ ids, at, owner }: Step & { do: 'save' }): TaskRecord[] {
    return ids.map((id, n) => {
      const running = started(this.#record(id), at + n, owner)
      return n % 3 === 0 ? running : n % 3 === 1 ? succeeded(running, at) : failed(running, at)
    })
  }

  /** Whether it was done. */
  apply(next: Step & { do: 'change' | 'save' }): boolean {
    const tasks = new Map(this.#tasks)
    if (next.do === 'save') {
      if (next.owner !== this.#schedule.instanceId) return false
      if (next.ids.some((id) => !tasks.has(id))) return false
      for (const record of this.records(next)) tasks.set(record.id, record)
      this.#schedule = { ...this.#schedule, watched: next.watched }
    } else {
      const { removed, replaced, added, schedulerId, instanceId, watched } = this.decided(next)
      for (const id of removed) tasks.delete(id)
      for (const record of replaced) {
        if (!tasks.has(record.id)) return false
        tasks.set(record.id, record)
      }
      for (const record of added) tasks.set(record.id, record)
      this.#schedule = { schedulerId, instanceId, watched }
    }
    this.#tasks = tasks
    return true
  }

  #record(id: number): TaskRecord {
    return this.#tasks.get(id) ?? task(id)
  }
}
