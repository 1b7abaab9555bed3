import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { describeClock } from '../../testing/clock/clock-conformance.js'
import { systemClock } from './system-clock.js'

describeClock('the system clock', () => ({ clock: systemClock(), passTime: (work) => work }))

describe('the timers of the system clock', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const longestTimerMs = 2 ** 31 - 1

  async function sleepAndWatch(ms: number): Promise<{ ended: () => boolean }> {
    let ended = false
    void systemClock()
      .sleep(ms)
      .then(() => {
        ended = true
      })
    await vi.advanceTimersByTimeAsync(0)
    return { ended: () => ended }
  }

  it('reads the wall clock', () => {
    vi.setSystemTime(new Date('2026-03-01T02:32:20Z'))
    expect(systemClock().now()).toEqual(new Date('2026-03-01T02:32:20Z'))
  })

  it('sleeps longer than one timer can', async () => {
    const sleep = await sleepAndWatch(longestTimerMs * 2 + 5)
    await vi.advanceTimersByTimeAsync(longestTimerMs * 2 + 4)
    expect(sleep.ended()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(sleep.ended()).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('needs one timer for the longest that one can do', async () => {
    const sleep = await sleepAndWatch(longestTimerMs)
    await vi.advanceTimersByTimeAsync(longestTimerMs - 1)
    expect(sleep.ended()).toBe(false)
    await vi.advanceTimersToNextTimerAsync()
    expect(sleep.ended()).toBe(true)
  })

  it('does not wake before a part of a millisecond has passed', async () => {
    const sleep = await sleepAndWatch(10.2)
    await vi.advanceTimersByTimeAsync(10)
    expect(sleep.ended()).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(sleep.ended()).toBe(true)
  })

  it.each([1000, longestTimerMs * 3])('leaves no timer when %d ms are aborted', async (ms) => {
    const controller = new AbortController()
    const sleep = systemClock().sleep(ms, controller.signal)
    const outcome = expect(sleep).rejects.toBe('enough')
    await vi.advanceTimersByTimeAsync(Math.min(ms - 1, longestTimerMs * 2 + 1))
    expect(vi.getTimerCount()).toBe(1)
    controller.abort('enough')
    await outcome
    expect(vi.getTimerCount()).toBe(0)
  })

  it('starts no timer for a signal that had aborted, nor for what it refuses', async () => {
    await expect(systemClock().sleep(5, AbortSignal.abort('no'))).rejects.toBe('no')
    await expect(systemClock().sleep(Number.NaN)).rejects.toThrow('ms must be a finite number')
    expect(vi.getTimerCount()).toBe(0)
  })
})
