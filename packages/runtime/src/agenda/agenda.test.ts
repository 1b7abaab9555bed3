import { describe, expect, it } from 'vitest'
import type { Clock } from '../clock/index.js'
import { VirtualClock } from '../testing/index.js'
import { Agenda } from './agenda.js'

const start = Date.UTC(2026, 2, 1)
const record = (name: string) => ({ name })

/** A clock that keeps the signals with which it was asked to sleep. */
function listeningClock(): { clock: VirtualClock; asked: Clock; signals: AbortSignal[] } {
  const clock = new VirtualClock(start)
  const signals: AbortSignal[] = []
  const sleep: Clock['sleep'] = (ms, signal) => {
    signals.push(signal!)
    return clock.sleep(ms, signal)
  }
  return { clock, asked: { now: () => clock.now(), sleep }, signals }
}

describe('Agenda', () => {
  it('sleeps until the earliest is due, and a minute at most', async () => {
    const clock = new VirtualClock(start)
    const agenda = new Agenda<{ name: string }>(clock)
    const woken: number[] = []
    agenda.set(record('later'), start + 90_000)
    void agenda
      .sleep()
      .then(() => woken.push(clock.now().getTime() - start))
      .then(() => agenda.sleep())
      .then(() => woken.push(clock.now().getTime() - start))
    await clock.advanceBy(200_000)
    expect(woken).toEqual([60_000, 90_000])
  })

  it('wakes when something earlier comes in', async () => {
    const clock = new VirtualClock(start)
    const agenda = new Agenda<{ name: string }>(clock)
    let wokenAt = 0
    void agenda.sleep().then(() => {
      wokenAt = clock.now().getTime()
    })
    await clock.advanceBy(5000)
    agenda.set(record('sooner'), start + 10_000)
    await clock.advanceBy(0)
    expect(wokenAt).toBe(start + 5000)
    expect(agenda.takeDue(start + 9999)).toEqual([])
    expect(agenda.takeDue(start + 10_000)).toEqual([{ name: 'sooner' }])
  })

  it('knows what is due, and when', () => {
    const agenda = new Agenda<string>(new VirtualClock(start))
    expect([agenda.size, agenda.nextDue]).toEqual([0, Number.POSITIVE_INFINITY])
    agenda.set('a', start + 2)
    agenda.set('b', start + 1)
    agenda.set('c', start + 3)
    expect([agenda.size, agenda.nextDue]).toEqual([3, start + 1])
    expect([agenda.countDue(start + 2, 9), agenda.countDue(start + 2, 1)]).toEqual([2, 1])
    agenda.remove('b')
    expect([agenda.size, agenda.nextDue]).toEqual([2, start + 2])
    expect(agenda.takeDue(start + 3)).toEqual(['a', 'c'])
    expect(agenda.size).toBe(0)
  })

  it.each([
    ['later than its end', 60_001, 60_000],
    ['at its end', 60_000, 60_000],
    ['just before its end', 59_999, 5000],
  ])('in a sleep of a minute, with what comes in %s, wakes as it must', async (_, due, wakes) => {
    const clock = new VirtualClock(start)
    const agenda = new Agenda<string>(clock)
    let wokenAt = 0
    void agenda.sleep().then(() => {
      wokenAt = clock.now().getTime()
    })
    await clock.advanceBy(5000)
    agenda.set('a', start + due)
    await clock.advanceBy(100_000)
    expect(wokenAt - start).toBe(wakes)
  })

  it.each([
    { left: 10_000, leadMs: 0, slept: 10_000 },
    { left: 10_000, leadMs: 3000, slept: 7000 },
    { left: 3001, leadMs: 3000, slept: 1 },
    { left: 3000, leadMs: 3000, slept: 3000 },
    { left: 2999, leadMs: 3000, slept: 2999 },
    { left: 62_000, leadMs: 3000, slept: 59_000 },
    { left: 70_000, leadMs: 3000, slept: 60_000 },
    { left: 0, leadMs: 3000, slept: 0 },
    { left: -5, leadMs: 3000, slept: 0 },
  ])('sleeps $slept ms for what is due in $left, with a lead of $leadMs', async (row) => {
    const clock = new VirtualClock(start)
    const agenda = new Agenda<string>(clock)
    agenda.set('a', start + row.left)
    let wokenAt = 0
    void agenda.sleep(row.leadMs).then(() => {
      wokenAt = clock.now().getTime()
    })
    await clock.advanceBy(100_000)
    expect(wokenAt - start).toBe(row.slept)
  })

  it('sleeps again after it was woken, and is not woken by what came before', async () => {
    const { clock, asked, signals } = listeningClock()
    const agenda = new Agenda<string>(asked)
    const woken: number[] = []
    const sleepOnce = () =>
      void agenda.sleep().then(() => woken.push(clock.now().getTime() - start))
    sleepOnce()
    await clock.advanceBy(1000)
    agenda.wake()
    await clock.advanceBy(0)
    expect(woken).toEqual([1000])
    expect(signals[0]!.reason).toBe('woken')
    agenda.wake()
    sleepOnce()
    await clock.advanceBy(100_000)
    expect(woken).toEqual([1000, 61_000])
  })

  it('makes nothing new for a sleep unless the one before was woken', async () => {
    const { clock, asked, signals } = listeningClock()
    const agenda = new Agenda<string>(asked)
    for (let turn = 1; turn <= 3; turn++) {
      // Nobody sleeps yet, so nobody is woken by something earlier.
      agenda.set('a', start + turn * 1000)
      void agenda.sleep()
      await clock.advanceBy(1000)
    }
    expect(new Set(signals).size).toBe(1)
    expect(signals[0]!.aborted).toBe(false)
  })

  it('says when the clock could not sleep', async () => {
    const failure = new Error('no timers left')
    const clock: Clock = { now: () => new Date(start), sleep: () => Promise.reject(failure) }
    const agenda = new Agenda<string>(clock)
    await expect(agenda.sleep()).rejects.toBe(failure)
  })

  it.each([
    { title: 'a clock that goes on', step: 0, jump: null },
    { title: 'a timer that is late by all it may', step: 5000, jump: null },
    { title: 'a timer later than that', step: 5001, jump: { from: 60_000, to: 65_001 } },
    { title: 'less than a second back', step: -999, jump: null },
    { title: 'a second back', step: -1000, jump: { from: 60_000, to: 59_000 } },
    {
      title: 'further back than the sleep began',
      step: -90_000,
      jump: { from: 60_000, to: -30_000 },
    },
  ])('after a sleep, tells a jump of $title', async ({ step, jump }) => {
    const clock = new VirtualClock(start)
    const agenda = new Agenda<string>(clock)
    void agenda.sleep()
    await clock.advanceBy(60_000)
    clock.step(step)
    const seen = agenda.jumpAt(clock.now().getTime())
    expect(seen && { from: seen.from - start, to: seen.to - start }).toEqual(jump)
    expect(agenda.jumpAt(clock.now().getTime())).toBeNull()
  })

  it('does not take time that passed while nobody slept for a jump twice', async () => {
    const clock = new VirtualClock(start)
    const agenda = new Agenda<string>(clock)
    await clock.advanceBy(20_000)
    const first = agenda.jumpAt(start + 20_000)
    const second = agenda.jumpAt(start + 25_000)
    expect([first, second]).toEqual([{ from: start, to: start + 20_000 }, null])
  })

  it.each([
    ['a second back', -1000, -1000],
    ['a day back', -86_400_000, -86_400_000],
    ['less than a second back', -999, null],
    ['an hour forward', 3_600_000, 3_600_000],
    ['a timer that is a little late', 4000, null],
  ])('tells of %s', (_, step, jump) => {
    const clock = new VirtualClock(start)
    const agenda = new Agenda<{ name: string }>(clock)
    clock.step(step)
    const seen = agenda.jumpAt(clock.now().getTime())
    expect(seen === null ? null : seen.to - seen.from).toBe(jump)
  })
})
