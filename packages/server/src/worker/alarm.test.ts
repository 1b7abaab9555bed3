import { VirtualClock } from '@kron/runtime'
import { describe, expect, it } from 'vitest'
import { Alarm } from './alarm.js'

function setUp() {
  const clock = new VirtualClock(0)
  const alarm = new Alarm(clock)
  const wokeAt: number[] = []
  const wait = (ms: number) => alarm.wait(ms).then(() => void wokeAt.push(clock.now().getTime()))
  return { clock, alarm, wokeAt, wait }
}

describe('an alarm', () => {
  it('ends a wait after its time, and not before', async () => {
    const { clock, wokeAt, wait } = setUp()
    void wait(100)
    await clock.advanceBy(99)
    expect(wokeAt).toEqual([])
    await clock.advanceBy(1)
    expect(wokeAt).toEqual([100])
  })

  it('ends a wait when it rings, and leaves no timer behind', async () => {
    const { clock, alarm, wokeAt, wait } = setUp()
    void wait(100)
    await clock.advanceBy(30)
    alarm.ring()
    await clock.advanceBy(0)
    expect(wokeAt).toEqual([30])
    expect(clock.pending).toBe(0)
  })

  it('keeps a ring for the next wait, and for that one only', async () => {
    const { clock, alarm, wokeAt, wait } = setUp()
    alarm.ring()
    alarm.ring()
    await wait(100)
    void wait(100)
    await clock.advanceBy(99)
    expect(wokeAt).toEqual([0])
    await clock.advanceBy(1)
    expect(wokeAt).toEqual([0, 100])
  })

  it('does not keep a ring that ended a wait', async () => {
    const { clock, alarm, wokeAt, wait } = setUp()
    void wait(100)
    await clock.advanceBy(10)
    alarm.ring()
    await clock.advanceBy(0)
    void wait(100)
    await clock.advanceBy(99)
    expect(wokeAt).toEqual([10])
    await clock.advanceBy(1)
    expect(wokeAt).toEqual([10, 110])
  })

  it('keeps a ring that comes after a wait ended by itself', async () => {
    const { clock, alarm, wokeAt, wait } = setUp()
    void wait(100)
    await clock.advanceBy(150)
    alarm.ring()
    await wait(100)
    expect(wokeAt).toEqual([100, 150])
  })

  it.each([0, -5])('does not wait for %d ms', async (ms) => {
    const sleeps: number[] = []
    const sleep = async (asked: number): Promise<void> => void sleeps.push(asked)
    await new Alarm({ now: () => new Date(0), sleep }).wait(ms)
    expect(sleeps).toEqual([])
  })
})
