import { getEventListeners } from 'node:events'
import { ValidationError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../../src/clock/clock.js'

export interface ClockUnderTest {
  readonly clock: Clock
  /** Lets time pass until the work has ended, and answers as the work did. */
  passTime<T>(work: Promise<T>): Promise<T>
}

/** What every clock must do. It asserts order and outcome, never how long something took. */
export function describeClock(name: string, create: () => ClockUnderTest): void {
  describe(`${name} as a clock`, () => {
    describeNow(create)
    describeSleep(create)
    describeAbort(create)
    describeRefusals(create)
  })
}

function describeNow(create: () => ClockUnderTest): void {
  it('tells the time as a valid date that the caller may change', () => {
    const { clock } = create()
    const first = clock.now()
    first.setTime(0)
    expect(clock.now()).toBeInstanceOf(Date)
    expect(clock.now().getTime()).toBeGreaterThan(0)
  })
}

function describeSleep(create: () => ClockUnderTest): void {
  it.each([0, -0, -1, -1e300])(
    'ends a sleep of %d ms soon, even if nobody passes time',
    async (ms) => {
      await expect(create().clock.sleep(ms)).resolves.toBeUndefined()
    },
  )

  it('ends a sleep of a part of a millisecond', async () => {
    const { clock, passTime } = create()
    await expect(passTime(clock.sleep(0.25))).resolves.toBeUndefined()
  })

  it('wakes the shorter sleep first, in any order of their starts', async () => {
    const { clock, passTime } = create()
    const woken: string[] = []
    const long = clock.sleep(30).then(() => woken.push('long'))
    const short = clock.sleep(1).then(() => woken.push('short'))
    await passTime(Promise.all([long, short]))
    expect(woken).toEqual(['short', 'long'])
  })

  it('wakes sleeps of the same length in the order in which they began', async () => {
    const { clock, passTime } = create()
    const woken: number[] = []
    const sleeps = [0, 1, 2, 3, 4].map((n) => clock.sleep(2).then(() => woken.push(n)))
    await passTime(Promise.all(sleeps))
    expect(woken).toEqual([0, 1, 2, 3, 4])
  })

  it('sleeps again after waking', async () => {
    const { clock, passTime } = create()
    let rounds = 0
    const work = async (): Promise<void> => {
      for (; rounds < 3; rounds++) await clock.sleep(1)
    }
    await passTime(work())
    expect(rounds).toBe(3)
  })

  it('leaves no listener on the signal of a sleep that ended', async () => {
    const { clock, passTime } = create()
    const { signal } = new AbortController()
    await passTime(Promise.all([clock.sleep(1, signal), clock.sleep(0, signal)]))
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
}

function describeAbort(create: () => ClockUnderTest): void {
  it('rejects with the reason of a signal that had aborted before', async () => {
    const reason = new RangeError('stopped')
    const signal = AbortSignal.abort(reason)
    await expect(create().clock.sleep(3_600_000, signal)).rejects.toBe(reason)
    await expect(create().clock.sleep(0, signal)).rejects.toBe(reason)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it.each([3_600_000, 2 ** 40, 0])('rejects a sleep of %d ms as soon as it aborts', async (ms) => {
    const { clock } = create()
    const controller = new AbortController()
    const sleep = clock.sleep(ms, controller.signal)
    const reason = { any: 'value' }
    controller.abort(reason)
    await expect(sleep).rejects.toBe(reason)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('rejects all sleeps of one signal, and no other', async () => {
    const { clock, passTime } = create()
    const controller = new AbortController()
    const aborted = [1, 2, 3].map(() => clock.sleep(3_600_000, controller.signal))
    const other = clock.sleep(1, new AbortController().signal)
    controller.abort('all')
    const outcomes = await Promise.allSettled(aborted)
    expect(outcomes).toEqual(aborted.map(() => ({ status: 'rejected', reason: 'all' })))
    await expect(passTime(other)).resolves.toBeUndefined()
  })

  it('is not disturbed by an abort after the end', async () => {
    const { clock, passTime } = create()
    const controller = new AbortController()
    const sleep = clock.sleep(1, controller.signal)
    await passTime(sleep)
    controller.abort()
    await expect(sleep).resolves.toBeUndefined()
  })
}

function describeRefusals(create: () => ClockUnderTest): void {
  const notDurations = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '5', 5n, {}]
  it.each([...notDurations, undefined, null])('refuses to sleep for %s', async (ms) => {
    const sleep = create().clock.sleep(ms as number)
    await expect(sleep).rejects.toBeInstanceOf(ValidationError)
    await expect(sleep).rejects.toMatchObject({ code: 'KRON_DURATION_INVALID' })
  })

  it.each([8.65e15, 1e300, Number.MAX_VALUE])('refuses to sleep past all dates: %d', async (ms) => {
    const sleep = create().clock.sleep(ms)
    await expect(sleep).rejects.toBeInstanceOf(ValidationError)
    await expect(sleep).rejects.toMatchObject({ code: 'KRON_DURATION_TOO_LONG' })
  })

  it.each([null, 'stop', 1, {}])('refuses %s in place of a signal', async (signal) => {
    const sleep = create().clock.sleep(1, signal as unknown as AbortSignal)
    await expect(sleep).rejects.toBeInstanceOf(ValidationError)
    await expect(sleep).rejects.toMatchObject({ details: { field: 'signal' } })
  })
}
