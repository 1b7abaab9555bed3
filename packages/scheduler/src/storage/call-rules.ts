import type { ScheduleChange, StoredSchedule } from './storage.js'

/** Who uses a storage, and whether one of its calls is under way. */
interface SharedUse {
  open(): void
  /** Runs one call of the storage. */
  call<T>(work: () => T): T
  close(): void
}

/**
 * Several schedulers may hold one storage object, so it is acquired by the first `open` and
 * released by the last `close`. A call from inside another (out of `decide`, or out of an iterable
 * that it answered) is refused: it would become a part of a transaction that may yet be undone.
 */
export function sharedUse(acquire: () => void, release: () => void): SharedUse {
  let users = 0
  let isCalled = false
  const refuseInsideCall = (): void => {
    if (isCalled) throw new Error('the storage can not be used from inside a change of its own')
  }
  return {
    open() {
      if (users === 0) acquire()
      users++
    },
    call(work) {
      if (users === 0) throw new Error('the storage is not open')
      refuseInsideCall()
      isCalled = true
      try {
        return work()
      } finally {
        isCalled = false
      }
    },
    close() {
      refuseInsideCall()
      if (users === 0) return
      users--
      if (users === 0) release()
    },
  }
}

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
