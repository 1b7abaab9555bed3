import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { SilenceError, StopPatience } from './stop-patience.js'

/** What came of it, without waiting for it. */
function outcome(promise: Promise<unknown>): { is: unknown } {
  const seen: { is: unknown } = { is: 'open' }
  promise.then(
    (value) => (seen.is = value),
    (error) => (seen.is = error),
  )
  return seen
}

const never = new Promise<string>(() => undefined)

describe('patience with a storage', () => {
  it('has no end without a stop', async () => {
    const clock = new VirtualClock(0)
    const seen = outcome(new StopPatience(clock).forAnswer(never))
    await clock.advanceBy(86_400_000)
    expect(seen.is).toBe('open')
    expect(clock.pending).toBe(0)
  })

  it.each(['before', 'during'])('ends 30 s after a stop that came %s the call', async (when) => {
    const clock = new VirtualClock(0)
    const patience = new StopPatience(clock)
    if (when === 'before') patience.begin()
    const seen = outcome(patience.forAnswer(never))
    if (when === 'during') patience.begin()
    await clock.advanceBy(29_999)
    expect(seen.is).toBe('open')
    await clock.advanceBy(1)
    expect(seen.is).toBeInstanceOf(SilenceError)
    expect(seen.is).toMatchObject({ message: 'no answer within 30 s of the stop' })
  })

  it.each([
    { title: 'an answer', answer: () => Promise.resolve('saved'), is: 'saved' },
    { title: 'a failure', answer: () => Promise.reject('disk full'), is: 'disk full' },
  ])('gives $title on at once, and no timer is left', async ({ answer, is }) => {
    const clock = new VirtualClock(0)
    const patience = new StopPatience(clock)
    patience.begin()
    const seen = outcome(patience.forAnswer(answer()))
    await clock.advanceBy(0)
    expect([seen.is, clock.pending]).toEqual([is, 0])
  })

  it('waits for no answer that came before the stop', async () => {
    const clock = new VirtualClock(0)
    const patience = new StopPatience(clock)
    await patience.forAnswer(Promise.resolve())
    patience.begin()
    await clock.advanceBy(0)
    expect(clock.pending).toBe(0)
  })

  it('has no end when the clock fails', async () => {
    const clock = new VirtualClock(0)
    const sleep = (): Promise<void> => Promise.reject(new Error('no timers'))
    const patience = new StopPatience({ now: () => clock.now(), sleep })
    patience.begin()
    const seen = outcome(patience.forAnswer(never))
    await clock.advanceBy(60_000)
    expect(seen.is).toBe('open')
  })
})
