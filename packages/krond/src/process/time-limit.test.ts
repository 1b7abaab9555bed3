import { VirtualClock } from '@kron/runtime/testing'
import { describe, expect, it } from 'vitest'
import { within } from './time-limit.js'

describe('work within a time', () => {
  it('answers when it is done in time, and leaves nobody asleep', async () => {
    const clock = new VirtualClock(0)
    const { promise, resolve } = Promise.withResolvers<number>()
    const limited = within(promise, 1000, clock)
    await clock.advanceBy(999)
    resolve(5)
    expect(await limited).toBe(5)
    expect(clock.pending).toBe(0)
  })

  it('is late when it takes longer', async () => {
    const clock = new VirtualClock(0)
    const limited = within(new Promise(() => {}), 1000, clock)
    await clock.advanceBy(1000)
    expect(await limited).toBe('late')
  })

  it('fails as the work does', async () => {
    const clock = new VirtualClock(0)
    await expect(within(Promise.reject(new Error('no')), 1000, clock)).rejects.toThrow('no')
    expect(clock.pending).toBe(0)
  })
})
