/** Who uses a storage, and whether one of its calls is under way. */
export interface SharedUse {
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
