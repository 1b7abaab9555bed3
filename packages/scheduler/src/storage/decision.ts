import type { ScheduleChange, StoredSchedule } from './storage.js'

/**
 * What `decide` answers. The tasks can be gone through once, and only while it decides: read again,
 * or read later, they would seem to be none, and a scheduler would take every task for a new one.
 */
export function decision(
  decide: (stored: StoredSchedule) => ScheduleChange,
  schedule: Omit<StoredSchedule, 'tasks'>,
  chunks: Iterable<Iterable<unknown>>,
): ScheduleChange {
  let isBegun = false
  let isOver = false
  const refuseLateReading = (): void => {
    if (isOver) throw new Error('what is stored can be read only while the change is decided')
  }
  function* read(): Generator<unknown> {
    if (isBegun) throw new Error('what is stored can be gone through only once')
    isBegun = true
    refuseLateReading()
    for (const chunk of chunks) {
      for (const row of chunk) {
        yield row
        refuseLateReading()
      }
    }
  }
  try {
    return decide({ ...schedule, tasks: { [Symbol.iterator]: read } })
  } finally {
    isOver = true
  }
}
