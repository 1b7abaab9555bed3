import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../clock/index.js'
import { Agenda } from './agenda.js'

const start = Date.UTC(2026, 2, 1)
const record = (name: string) => ({ name })

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
