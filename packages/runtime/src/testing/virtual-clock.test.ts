import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SchedulingError, ValidationError } from '@kron/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeClock } from '../../testing/clock/clock-conformance.js'
import { VirtualClock } from './virtual-clock.js'

const start = new Date('2026-03-01T00:00:00.000Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

for (const quietTurns of [0, 2]) {
  describeClock(`the virtual clock, with ${quietTurns} quiet turns`, () => {
    const clock = new VirtualClock(start, { quietTurns })
    return {
      clock,
      passTime: async (work) => {
        const outcome = Promise.allSettled([work])
        await clock.runUntilIdle()
        await outcome
        return work
      },
    }
  })
}

/** Notes how far the clock is from its start whenever somebody wakes. */
function diary(clock: VirtualClock): { entries: string[]; note: (text: string) => void } {
  const entries: string[] = []
  return {
    entries,
    note: (text) => void entries.push(`${text} +${clock.now().getTime() - start.getTime()}`),
  }
}

describe('virtual time', () => {
  it('stands still until it is told to pass', async () => {
    const clock = new VirtualClock(start)
    const { entries, note } = diary(clock)
    void clock.sleep(1).then(() => note('woke'))
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    expect(entries).toEqual([])
    expect(clock.now()).toEqual(start)
    expect(clock.pending).toBe(1)
  })

  it('begins at a date or at epoch milliseconds', () => {
    expect(new VirtualClock(start.getTime()).now()).toEqual(start)
    expect(new VirtualClock(-5).now()).toEqual(new Date(-5))
  })

  it('wakes each sleeper at its own instant and ends where it was told to', async () => {
    const clock = new VirtualClock(start)
    const { entries, note } = diary(clock)
    for (const ms of [300, 100, 200, 501]) void clock.sleep(ms).then(() => note(`${ms}`))
    await clock.advanceBy(500)
    expect(entries).toEqual(['100 +100', '200 +200', '300 +300'])
    expect(clock.now().getTime() - start.getTime()).toBe(500)
    expect(clock.pending).toBe(1)
    await clock.advanceTo(start.getTime() + 501)
    expect(entries.at(-1)).toBe('501 +501')
    expect(clock.pending).toBe(0)
  })

  it('follows a loop through a day of minutes', async () => {
    const clock = new VirtualClock(start)
    const { entries, note } = diary(clock)
    const loop = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(minute)
        note('tick')
      }
    }
    void loop()
    await clock.runUntil(new Date(start.getTime() + day))
    expect(entries).toEqual(Array.from({ length: 1440 }, (_, n) => `tick +${(n + 1) * minute}`))
  })

  it('lets a sleeper come to rest before the next of the same instant wakes', async () => {
    const clock = new VirtualClock(start)
    const events: string[] = []
    const work = async (name: string): Promise<void> => {
      await clock.sleep(10)
      for (let hop = 0; hop < 50; hop++) await null
      await new Promise(setImmediate)
      events.push(name)
    }
    for (const name of ['a', 'b', 'c']) void work(name)
    await clock.advanceBy(10)
    expect(events).toEqual(['a', 'b', 'c'])
  })

  it('lets a sleeper abort another of the same instant', async () => {
    const clock = new VirtualClock(start)
    const controller = new AbortController()
    void clock.sleep(10).then(() => controller.abort('first'))
    const second = clock.sleep(10, controller.signal).catch((reason: unknown) => reason)
    await clock.advanceBy(10)
    expect(await second).toBe('first')
    expect(clock.pending).toBe(0)
  })

  it('counts an aborted sleeper no more', async () => {
    const clock = new VirtualClock(start)
    const controller = new AbortController()
    const sleep = clock.sleep(10, controller.signal)
    expect(clock.pending).toBe(1)
    controller.abort('gone')
    expect(clock.pending).toBe(0)
    await expect(sleep).rejects.toBe('gone')
  })

  it('passes ten years of hours', async () => {
    const clock = new VirtualClock(start)
    let ticks = 0
    const loop = async (): Promise<void> => {
      for (; ; ticks++) await clock.sleep(hour)
    }
    void loop()
    await clock.advanceBy(3652 * day)
    expect(ticks).toBe(3652 * 24)
  })
})

describe('settling', () => {
  it.each([0, 2])('with %i quiet turns, waits for promises and turns', async (quietTurns) => {
    const clock = new VirtualClock(start, { quietTurns })
    const { entries, note } = diary(clock)
    const work = async (): Promise<void> => {
      await clock.sleep(10)
      for (let hop = 0; hop < 100; hop++) {
        await new Promise(setImmediate)
        await new Promise<void>((resolve) => queueMicrotask(resolve))
        if (quietTurns > 0) await new Promise<void>((resolve) => process.nextTick(resolve))
      }
      note('hopped')
      await clock.sleep(5)
      note('slept')
    }
    void work()
    void clock.sleep(11).then(() => note('other'))
    await clock.advanceBy(100)
    expect(entries).toEqual(['hopped +10', 'other +11', 'slept +15'])
  })

  it.each([0, 2])('with %i quiet turns, waits for files', async (quietTurns) => {
    const folder = await mkdtemp(join(tmpdir(), 'kron-clock-'))
    const clock = new VirtualClock(start, { quietTurns })
    const { entries, note } = diary(clock)
    const write = async (): Promise<void> => {
      await clock.sleep(10)
      const file = await open(join(folder, 'state'), 'w')
      await file.writeFile('x'.repeat(1_000_000))
      await file.sync()
      await file.close()
      note('written')
    }
    const written = write()
    void clock.sleep(11).then(() => note('other'))
    await clock.advanceBy(100)
    await written
    await rm(folder, { recursive: true })
    expect(entries).toEqual(['written +10', 'other +11'])
  })

  it('counts sleeps of zero as work, and does not pass time for them', async () => {
    const clock = new VirtualClock(start)
    const { entries, note } = diary(clock)
    const work = async (): Promise<void> => {
      for (let round = 0; round < 20; round++) await clock.sleep(0)
      note('done')
    }
    void work()
    await clock.advanceBy(10)
    expect(entries).toEqual(['done +0'])
  })

  it('does not wait for an aborted sleep of zero', async () => {
    const immediates = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Immediate').length
    const before = immediates()
    const controller = new AbortController()
    const sleep = new VirtualClock(start).sleep(0, controller.signal)
    expect(immediates()).toBe(before + 1)
    controller.abort('over')
    expect(immediates()).toBe(before)
    await expect(sleep).rejects.toBe('over')
  })

  it('gives up with an error when work never comes to rest', async () => {
    const clock = new VirtualClock(start)
    const stop = new AbortController()
    const spin = async (): Promise<void> => {
      for (;;) await clock.sleep(0, stop.signal)
    }
    const spinning = spin().catch((reason: unknown) => reason)
    const advanced = clock.advanceBy(1)
    await expect(advanced).rejects.toBeInstanceOf(SchedulingError)
    await expect(advanced).rejects.toMatchObject({ code: 'KRON_CLOCK_BUSY' })
    stop.abort('end')
    expect(await spinning).toBe('end')
    await clock.advanceBy(1)
    expect(clock.now().getTime()).toBe(start.getTime() + 1)
  })
})

describe('running until idle', () => {
  it('ends when nobody sleeps any more, at the last wake', async () => {
    const clock = new VirtualClock(start)
    void clock.sleep(day).then(() => clock.sleep(day))
    expect(await clock.runUntilIdle()).toBe(true)
    expect(clock.now()).toEqual(new Date(start.getTime() + 2 * day))
  })

  it('wakes no more than the limit, and says that somebody sleeps still', async () => {
    const clock = new VirtualClock(start)
    let rounds = 0
    const loop = async (): Promise<void> => {
      for (; ; rounds++) await clock.sleep(minute)
    }
    void loop()
    expect(await clock.runUntilIdle({ limit: 7 })).toBe(false)
    expect(rounds).toBe(7)
    expect(clock.now()).toEqual(new Date(start.getTime() + 7 * minute))
  })

  it('is idle when the last sleeper is the one that the limit allows', async () => {
    const clock = new VirtualClock(start)
    void clock.sleep(1)
    expect(await clock.runUntilIdle({ limit: 1 })).toBe(true)
  })
})

describe('a step of the wall clock', () => {
  it.each([-5 * hour, 5 * hour])('of %d ms wakes nobody and changes no sleep', async (ms) => {
    const clock = new VirtualClock(start)
    let woken = false
    void clock.sleep(hour).then(() => {
      woken = true
    })
    await clock.advanceBy(hour / 2)
    clock.step(ms)
    expect(clock.now()).toEqual(new Date(start.getTime() + hour / 2 + ms))
    await clock.advanceBy(hour / 2 - 1)
    expect(woken).toBe(false)
    await clock.advanceBy(1)
    expect(woken).toBe(true)
  })

  it('back makes a run to an instant longer, and a run of a length no different', async () => {
    const run = async (how: (clock: VirtualClock) => Promise<void>): Promise<number> => {
      const clock = new VirtualClock(start)
      let ticks = 0
      const loop = async (): Promise<void> => {
        for (;;) {
          await clock.sleep(minute)
          if (++ticks === 30) clock.step(-hour)
        }
      }
      void loop()
      await how(clock)
      return ticks
    }
    expect(await run((clock) => clock.runUntil(start.getTime() + hour))).toBe(120)
    expect(await run((clock) => clock.advanceBy(hour))).toBe(60)
  })

  it('forward past the end of a run ends it there', async () => {
    const clock = new VirtualClock(start)
    let ticks = 0
    const loop = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(minute)
        if (++ticks === 3) clock.step(day)
      }
    }
    void loop()
    await clock.runUntil(start.getTime() + hour)
    expect(ticks).toBe(3)
    expect(clock.now()).toEqual(new Date(start.getTime() + 3 * minute + day))
  })
})

describe('what the virtual clock refuses', () => {
  const clock = new VirtualClock(start)
  const notInstants = [Number.NaN, 1.5, 9e15, new Date(Number.NaN), 'now', 5n, null, undefined]

  it.each(notInstants)('%s as an instant', async (value) => {
    const instant = value as number
    expect(() => new VirtualClock(instant)).toThrow(ValidationError)
    await expect(clock.advanceTo(instant)).rejects.toBeInstanceOf(ValidationError)
    await expect(clock.runUntil(instant)).rejects.toBeInstanceOf(ValidationError)
  })

  it.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY, '5', 5n, null, 9e15])(
    '%s as a number of milliseconds',
    async (value) => {
      const ms = value as number
      expect(() => clock.step(ms)).toThrow(ValidationError)
      await expect(clock.advanceBy(ms)).rejects.toBeInstanceOf(ValidationError)
    },
  )

  it('to go back, other than by a step', async () => {
    await expect(clock.advanceBy(-1)).rejects.toBeInstanceOf(ValidationError)
    const back = clock.advanceTo(start.getTime() - 1)
    await expect(back).rejects.toMatchObject({ code: 'KRON_INSTANT_INVALID' })
    await expect(back).rejects.toThrow('step() sets a clock back')
    await clock.runUntil(start.getTime() - 1)
    expect(clock.now()).toEqual(start)
  })

  it.each([-1, 1.5, Number.NaN, '3'])('%s as a limit or as quiet turns', async (value) => {
    const limit = value as number
    await expect(clock.runUntilIdle({ limit })).rejects.toBeInstanceOf(ValidationError)
    expect(() => new VirtualClock(start, { quietTurns: limit })).toThrow(ValidationError)
  })

  it('to pass the last date', async () => {
    const late = new VirtualClock(8.64e15 - 10)
    void late.sleep(10).catch(() => {})
    late.step(5)
    await expect(late.runUntilIdle()).rejects.toBeInstanceOf(ValidationError)
    expect(late.now().getTime()).toBe(8.64e15 - 5)
  })

  it('a run that may wake nobody', async () => {
    await expect(clock.runUntilIdle({ limit: 0 })).rejects.toBeInstanceOf(ValidationError)
  })

  it('two callers that advance it at once', async () => {
    const first = clock.advanceBy(1)
    const second = clock.advanceBy(1)
    await expect(second).rejects.toMatchObject({ code: 'KRON_CLOCK_BUSY' })
    await first
    expect(clock.now().getTime()).toBe(start.getTime() + 1)
  })
})

describe('any set of sleepers', () => {
  it('wakes by instant, then by who fell asleep first, however the time is cut up', async () => {
    const sleeps = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 20 })
    const cuts = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(sleeps, cuts, async (durations, pieces) => {
        const clock = new VirtualClock(start)
        const { entries, note } = diary(clock)
        for (const [index, ms] of durations.entries()) {
          void clock.sleep(ms).then(() => note(`${index}`))
        }
        for (const ms of pieces) await clock.advanceBy(ms)
        await clock.runUntilIdle()
        const expected = durations
          .map((ms, index) => ({ ms, index }))
          .sort((a, b) => a.ms - b.ms || a.index - b.index)
          .map(({ ms, index }) => `${index} +${ms}`)
        expect(entries).toEqual(expected)
      }),
      { numRuns: 200 },
    )
  })
})
