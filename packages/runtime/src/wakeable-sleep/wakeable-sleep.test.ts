import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../testing/index.js'
import { WakeableSleep } from './wakeable-sleep.js'

function setUp() {
  const clock = new VirtualClock(0)
  const sleep = new WakeableSleep(clock)
  const endedAt: number[] = []
  const note = (sleeping: Promise<void>): void =>
    void sleeping.then(() => endedAt.push(clock.now().getTime()))
  return { clock, sleep, endedAt, note }
}

describe('a wakeable sleep', () => {
  it('ends after its time, and not before', async () => {
    const { clock, sleep, endedAt, note } = setUp()
    note(sleep.for(1000))
    await clock.advanceBy(999)
    expect(endedAt).toEqual([])
    await clock.advanceBy(1)
    expect(endedAt).toEqual([1000])
  })

  it('ends when it is woken, and leaves no timer behind', async () => {
    const { clock, sleep, endedAt, note } = setUp()
    note(sleep.for(100))
    await clock.advanceBy(30)
    sleep.wake()
    await clock.advanceBy(0)
    expect([endedAt, clock.pending]).toEqual([[30], 0])
  })

  it.each(['for', 'untilWoken'] as const)(
    'does not sleep over what came before: %s',
    async (way) => {
      const { clock, sleep, endedAt, note } = setUp()
      sleep.wake()
      sleep.wake()
      note(sleep[way](1000))
      await clock.advanceBy(0)
      expect(endedAt).toEqual([0])
      // Once: the next one sleeps.
      note(sleep[way](1000))
      await clock.advanceBy(10)
      expect(endedAt).toEqual([0])
      sleep.wake()
      await clock.advanceBy(0)
      expect(endedAt).toEqual([0, 10])
    },
  )

  it('forgets what ended a sleep when that is over', async () => {
    const { clock, sleep, endedAt, note } = setUp()
    note(sleep.for(100))
    await clock.advanceBy(10)
    sleep.wake()
    await clock.advanceBy(0)
    note(sleep.for(100))
    await clock.advanceBy(99)
    expect(endedAt).toEqual([10])
    await clock.advanceBy(1)
    expect(endedAt).toEqual([10, 110])
  })

  it('keeps a wake that comes after a sleep ended by itself', async () => {
    const { clock, sleep, endedAt, note } = setUp()
    note(sleep.for(100))
    await clock.advanceBy(150)
    sleep.wake()
    note(sleep.for(100))
    await clock.advanceBy(0)
    expect(endedAt).toEqual([100, 150])
  })

  it.each([0, -5])('does not sleep for %d ms', async (ms) => {
    const asked: number[] = []
    const clock = { now: () => new Date(0), sleep: async (ms: number) => void asked.push(ms) }
    await new WakeableSleep(clock).for(ms)
    expect(asked).toEqual([])
  })

  it('is woken even where the clock does not heed the signal', async () => {
    const clock = { now: () => new Date(0), sleep: () => new Promise<void>(() => undefined) }
    const sleep = new WakeableSleep(clock)
    const sleeping = sleep.for(1000)
    sleep.wake()
    await expect(sleeping).resolves.toBeUndefined()
  })

  it('fails as the clock fails, and sleeps again afterwards', async () => {
    const failure = new Error('no timers')
    const answers = [Promise.reject(failure), Promise.resolve()]
    const sleep = new WakeableSleep({ now: () => new Date(0), sleep: () => answers.shift()! })
    await expect(sleep.for(1000)).rejects.toBe(failure)
    await expect(sleep.for(1000)).resolves.toBeUndefined()
  })

  it('sleeps through no wake, whenever it comes', async () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(gaps, async (wakes) => {
        const { clock, sleep } = setUp()
        let [news, seen] = [0, 0]
        let isOver = false
        const loop = (async () => {
          while (!isOver) {
            seen = news
            await sleep.for(1_000_000)
          }
        })()
        for (const gap of wakes) {
          await clock.advanceBy(gap)
          news++
          sleep.wake()
          await clock.advanceBy(0)
          expect(seen).toBe(news)
        }
        isOver = true
        sleep.wake()
        await loop
        expect(clock.pending).toBe(0)
      }),
      { numRuns: 100, seed: 18 },
    )
  })
})
