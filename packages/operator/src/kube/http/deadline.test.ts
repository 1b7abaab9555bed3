import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deadline } from './deadline.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a deadline', () => {
  it('ends what takes longer, and says how long it had', () => {
    const deadline = new Deadline(1500, undefined)
    vi.advanceTimersByTime(1499)
    expect([deadline.isExpired, deadline.signal.aborted]).toEqual([false, false])
    vi.advanceTimersByTime(1)
    expect([deadline.isExpired, deadline.signal.aborted]).toEqual([true, true])
    expect(deadline.signal.reason).toEqual(new Error('no answer within 1.5 s'))
  })

  it.each(['end', 'lift'] as const)('keeps no timer after its %s', (over) => {
    const deadline = new Deadline(1500, undefined)
    deadline[over]()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is still ended by its caller when it was lifted, but not when it has ended', () => {
    const caller = new AbortController()
    const [lifted, ended] = [
      new Deadline(1500, caller.signal),
      new Deadline(1500, caller.signal),
    ] as const
    lifted.lift()
    ended.end()
    caller.abort('enough')
    expect([lifted.signal.reason, lifted.isExpired]).toEqual(['enough', false])
    expect(ended.signal.aborted).toBe(false)
  })
})
