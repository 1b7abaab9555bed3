import type { Clock } from '@kron/runtime'
import type { Announcer } from '../event/index.js'
import type { Storage } from './storage.js'

const firstWordAfterMs = 30_000
const longestPauseMs = 3_600_000

/**
 * The same storage, and a word when a call of it has no answer for long: after 30 seconds, then
 * after twice as long each time. Whoever waits for a scheduler learns what that waits for.
 */
export function watchedStorage(storage: Storage, clock: Clock, announcer: Announcer): Storage {
  async function watched<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const answered = new AbortController()
    const { place = null } = storage
    void tellSilence({ operation, place }, answered.signal, clock, announcer)
    try {
      return await work()
    } finally {
      answered.abort()
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

async function tellSilence(
  call: { readonly operation: string; readonly place: string | null },
  answered: AbortSignal,
  clock: Clock,
  announcer: Announcer,
): Promise<void> {
  let silentMs = 0
  try {
    for (let ms = firstWordAfterMs; ; ms = Math.min(2 * ms, longestPauseMs)) {
      await clock.sleep(ms, answered)
      if (answered.aborted) return
      silentMs += ms
      announcer.announce({ type: 'StorageUnresponsive', time: clock.now(), ...call, silentMs })
    }
  } catch {
    // It was answered; or the clock failed, and then others tell of it.
  }
}
