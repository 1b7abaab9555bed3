import { type Backoff, backoffMs, type Clock } from '@kron/runtime'
import type { Announcer } from '../event/index.js'
import type { Storage } from './storage.js'

/** Between what is said of one call. */
const silences: Backoff = { firstMs: 30_000, maxMs: 3_600_000 }

/**
 * The same storage, and a word when a call of it has no answer for long: after 30 seconds, then
 * after twice as long each time. Code that waits for a scheduler learns what that waits for.
 */
export function watchedStorage(storage: Storage, clock: Clock, announcer: Announcer): Storage {
  async function watched<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const call = { operation, place: storage.place ?? null, isAnswered: false, answered: noop }
    void tellSilence(call, clock, announcer)
    try {
      return await work()
    } finally {
      call.isAnswered = true
      call.answered()
    }
  }
  const { place, own } = storage
  return {
    ...(place === undefined ? {} : { place }),
    open: () => watched('open', () => storage.open()),
    ...(own === undefined
      ? {}
      : { own: (whenInUse) => watched('own', () => own.call(storage, whenInUse)) }),
    change: (decide) => watched('initialize', () => storage.change(decide)),
    save: (...args) => watched('save', () => storage.save(...args)),
    close: () => watched('close', () => storage.close()),
  }
}

interface StorageCall {
  readonly operation: string
  readonly place: string | null
  isAnswered: boolean
  answered: () => void
}

const noop = (): void => undefined

/** Most calls are answered within some microtasks, which need no timer. */
const turnsBeforeTimer = 16

async function tellSilence(call: StorageCall, clock: Clock, announcer: Announcer): Promise<void> {
  for (let turn = 0; turn < turnsBeforeTimer; turn++) {
    await null
    if (call.isAnswered) return
  }
  const answered = new AbortController()
  call.answered = () => answered.abort('answered')
  const { operation, place } = call
  let silentMs = 0
  try {
    for (let words = 1; ; words++) {
      const ms = backoffMs(silences, words)
      await clock.sleep(ms, answered.signal)
      if (call.isAnswered) return
      silentMs += ms
      const time = clock.now()
      announcer.announce({ type: 'StorageUnresponsive', time, operation, place, silentMs })
    }
  } catch {
    // It was answered; or the clock failed, and then others tell of it.
  }
}
