import { describe, expect, it } from 'vitest'
import { accountOf } from './account.js'
import { compare } from './comparison.js'
import { type Band, type Look, learn } from './learner.js'
import { type Memory, newMemory } from './memory.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const band: Band = { baselineMs: 5 * minuteMs, minMs: 30_000, maxMs: hourMs, budget: 1 }

const look = (at: number, kind: Look['kind'], changed: boolean): Look => ({
  at,
  kind,
  changed,
  retryAfterMs: null,
})

/** A resource that changes at minute 17 of each hour, or as given. */
function lived(isFollowed: boolean, days: number, everyMs = hourMs): Memory {
  const memory = newMemory(band.baselineMs, 0)
  let published = 17 * minuteMs
  for (let at = band.baselineMs; at < days * dayMs; ) {
    const changed = published <= at
    while (published <= at) published += everyMs
    const { gapMs } = learn(memory, look(at, 'ok', changed), band, isFollowed)
    at += isFollowed ? Math.round(gapMs) : band.baselineMs
  }
  return memory
}

describe('the two schedules beside each other', () => {
  it('are the baseline, and what the learner would make of it', () => {
    const { compared } = accountOf(lived(false, 20), band.baselineMs)
    expect(compared!.callsPerDay).toBeCloseTo(288, 0)
    expect(compared!.delayMs! / (2 * minuteMs)).toBeGreaterThan(0.8)
    expect(compared!.otherCallsPerDay / 288).toBeGreaterThan(0.9)
    expect(compared!.otherCallsPerDay / 288).toBeLessThan(1.1)
    expect(compared!.otherDelayMs! / compared!.delayMs!).toBeLessThan(0.5)
  })

  it('are the learner, and what the baseline would be', () => {
    const { compared } = accountOf(lived(true, 20), band.baselineMs)
    expect(compared!.otherCallsPerDay).toBeCloseTo(288, 0)
    expect(compared!.callsPerDay / 288).toBeGreaterThan(0.9)
    expect(compared!.callsPerDay / 288).toBeLessThan(1.1)
    expect(compared!.delayMs! / compared!.otherDelayMs!).toBeLessThan(0.5)
  })

  it('keep the budget also where nobody follows it', () => {
    const memory = newMemory(band.baselineMs, 0)
    const half = { ...band, budget: 0.5 }
    for (let at = band.baselineMs; at < 20 * dayMs; at += band.baselineMs) {
      learn(memory, look(at, 'ok', at % hourMs === 0), half, false)
    }
    const { compared } = accountOf(memory, band.baselineMs)
    expect(compared!.otherCallsPerDay / 144).toBeGreaterThan(0.9)
    expect(compared!.otherCallsPerDay / 144).toBeLessThan(1.1)
  })

  it('are counted afresh when they change places', () => {
    const memory = lived(false, 20)
    const before = accountOf(memory, band.baselineMs).compared!
    let at = memory.lastSeenAt
    for (const end = at + 2 * dayMs; at < end; ) {
      at += Math.round(learn(memory, look(at + 1, 'ok', at % hourMs < 60_000), band, true).gapMs)
    }
    const after = accountOf(memory, band.baselineMs).compared!
    expect(after.days).toBeLessThan(2.1)
    // What was the learner's is now its own, and the other one is the baseline.
    expect(before.callsPerDay).toBeCloseTo(288, 0)
    expect(after.otherCallsPerDay).toBeCloseTo(288, -1)
  })

  it('say nothing before a quarter of a day', () => {
    expect(accountOf(lived(true, 0.2), band.baselineMs).compared).toBeNull()
  })
})

describe('the other schedule', () => {
  const walked = (memory: Memory, at: number, changed: boolean, gapMs: number): Memory => {
    compare(memory, look(at, 'ok', changed), true, () => gapMs)
    return memory
  }

  it('sees a change at its first look after it', () => {
    const memory = { ...newMemory(minuteMs, 0), otherAt: 10_000, changedAt: 25_000 }
    walked(memory, 40_000, true, 10_000)
    expect(memory).toMatchObject({ calls: 1, otherCalls: 4, otherAt: 50_000, seen: 1 })
    expect(memory.delayMs).toBe(15_000)
    expect(memory.otherDelayMs).toBe(5_000)
  })

  it('sees it at its next look where that is still to come', () => {
    const memory = { ...newMemory(minuteMs, 0), otherAt: 90_000, changedAt: 25_000 }
    walked(memory, 40_000, true, 10_000)
    expect(memory).toMatchObject({ otherCalls: 0, otherAt: 90_000, otherDelayMs: 65_000 })
  })

  it('is counted through a long time in a few steps', () => {
    const memory = { ...newMemory(minuteMs, 0), otherAt: minuteMs, changedAt: 999.5 * minuteMs }
    let asked = 0
    compare(memory, look(1000 * minuteMs, 'ok', true), true, () => {
      asked++
      return minuteMs
    })
    expect(memory).toMatchObject({ otherCalls: 1000, otherAt: 1001 * minuteMs })
    expect(memory.otherDelayMs).toBe(minuteMs / 2)
    expect(asked).toBeLessThan(20)
  })

  it('forgets old figures slowly', () => {
    const memory = newMemory(minuteMs, 0)
    for (let at = minuteMs; at <= 100 * dayMs; at += minuteMs) walked(memory, at, false, minuteMs)
    expect(memory.calls / memory.comparedMs).toBeCloseTo(1 / minuteMs, 8)
    expect(memory.otherCalls).toBeCloseTo(memory.calls, -1)
    expect(memory.comparedMs / dayMs).toBeGreaterThan(25)
    expect(memory.comparedMs / dayMs).toBeLessThan(29)
  })
})
