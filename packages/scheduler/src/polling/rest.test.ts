import { VirtualClock } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { Rest } from './rest.js'

/** Whether a wait is over by now. */
function watch(promise: Promise<void>): { done: boolean } {
  const state = { done: false }
  void promise.then(() => {
    state.done = true
  })
  return state
}

describe('a rest', () => {
  it('ends after its time', async () => {
    const clock = new VirtualClock(0)
    const rest = watch(new Rest(clock).for(1000))
    await clock.advanceBy(999)
    expect(rest.done).toBe(false)
    await clock.advanceBy(1)
    expect(rest.done).toBe(true)
  })

  it('ends when it is woken, and leaves no timer', async () => {
    const clock = new VirtualClock(0)
    const rest = new Rest(clock)
    const waits = watch(rest.for(1000))
    await clock.advanceBy(1)
    rest.wake()
    await clock.advanceBy(0)
    expect([waits.done, clock.pending]).toEqual([true, 0])
  })

  it.each(['for', 'untilWoken'] as const)(
    'does not sleep over what came before: %s',
    async (way) => {
      const clock = new VirtualClock(0)
      const rest = new Rest(clock)
      rest.wake()
      const first = watch(rest[way](1000))
      await clock.advanceBy(0)
      expect(first.done).toBe(true)
      // Once: the next one waits.
      const second = watch(rest[way](1000))
      await clock.advanceBy(0)
      expect(second.done).toBe(false)
      rest.wake()
      await clock.advanceBy(0)
      expect(second.done).toBe(true)
    },
  )

  it('says that the clock failed', async () => {
    const failure = new Error('no timers')
    const rest = new Rest({ now: () => new Date(0), sleep: () => Promise.reject(failure) })
    await expect(rest.for(1000)).rejects.toBe(failure)
  })
})
