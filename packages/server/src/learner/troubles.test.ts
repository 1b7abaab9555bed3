import { describe, expect, it } from 'vitest'
import { type Band, type Look, learn } from './learner.js'
import { newMemory } from './memory.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const band: Band = { baselineMs: 5 * minuteMs, minMs: 30_000, maxMs: hourMs, budget: 1 }

const look = (at: number, kind: Look['kind'], retryAfterMs: number | null = null): Look => ({
  at,
  kind,
  changed: false,
  retryAfterMs,
})

function outage(use: Band, lengthMs: number): { readonly calls: number; readonly foundMs: number } {
  const memory = newMemory(use.baselineMs, 0)
  let at = use.baselineMs
  for (; at < dayMs; at += use.baselineMs) learn(memory, look(at, 'ok'), use)
  const end = at + lengthMs
  let calls = 0
  for (; at < end; calls++) at += learn(memory, look(at, 'down'), use).gapMs
  return { calls, foundMs: at - end }
}

describe('an outage', () => {
  it('is confirmed within a minute, then looked at in gaps that grow with it', () => {
    const memory = newMemory(band.baselineMs, 0)
    const gaps: number[] = []
    for (let at = band.baselineMs, tries = 0; tries < 8; tries++) {
      const { gapMs, mode } = learn(memory, look(at, 'down'), band)
      expect(mode).toBe('outage')
      gaps.push(gapMs / 1000)
      at += gapMs
    }
    expect(gaps).toEqual([60, 60, 60, 90, 108, 108, 108, 108])
  })

  it.each([
    ['minutes', 10 * minuteMs],
    ['an hour', hourMs],
    ['four hours', 4 * hourMs],
  ])('of %s is over for us within 0.36 of the baseline', (_, lengthMs) => {
    expect(outage(band, lengthMs).foundMs).toBeLessThanOrEqual(0.36 * band.baselineMs)
  })

  it('of days is looked at less and less', () => {
    const day = outage(band, dayMs).calls
    const fourDays = outage(band, 4 * dayMs).calls
    // Each doubling takes as many as the one before: seventy times the logarithm of two.
    expect(fourDays - day).toBeLessThan(150)
    expect(outage(band, 4 * dayMs).foundMs).toBeLessThanOrEqual(0.01 * 4 * dayMs)
  })

  it('leaves what was learned as it is', () => {
    const memory = newMemory(band.baselineMs, 0)
    learn(memory, look(band.baselineMs, 'ok'), band)
    const before = structuredClone({
      views: memory.views,
      level: memory.level,
      exposureMs: memory.exposureMs,
    })
    learn(memory, look(2 * band.baselineMs, 'down'), band)
    const { views, level, exposureMs } = memory
    expect({ views, level, exposureMs }).toEqual(before)
  })

  it('ends with the first success', () => {
    const memory = newMemory(band.baselineMs, 0)
    learn(memory, look(band.baselineMs, 'down'), band)
    expect(learn(memory, look(band.baselineMs + minuteMs, 'ok'), band)).toMatchObject({
      mode: 'spacing',
    })
    expect(memory.outageAt).toBe(-1)
  })
})

describe('a rate limit', () => {
  it('raises the floor by 1.3, again and again', () => {
    const memory = newMemory(band.baselineMs, 0)
    const gaps: number[] = []
    for (let at = band.baselineMs, tries = 0; tries < 4; tries++) {
      const { gapMs, mode } = learn(memory, look(at, 'limited'), band)
      expect(mode).toBe('limit')
      gaps.push(gapMs / band.baselineMs)
      at += gapMs
    }
    expect(gaps.map((gap) => gap.toFixed(4))).toEqual(['1.3000', '1.6900', '2.1970', '2.8561'])
  })

  it('lowers the floor by 0.95 after ten clean runs, and after forty close to what was refused', () => {
    const memory = newMemory(band.baselineMs, 0)
    learn(memory, look(band.baselineMs, 'limited'), band)
    const first = memory.floorMs
    let at = 2 * band.baselineMs
    const clean = (runs: number): number => {
      for (let run = 0; run < runs; run++) at += learn(memory, look(at, 'ok'), band).gapMs
      return memory.floorMs / first
    }
    expect(clean(9)).toBe(1)
    expect(clean(1)).toBeCloseTo(0.95, 10)
    expect(clean(10)).toBeCloseTo(0.95 ** 2, 10)
    expect(clean(10)).toBeCloseTo(0.95 ** 3, 10)
    // 1.3 * 0.95 ** 4 is within a tenth of the gap that was refused.
    expect(clean(39)).toBeCloseTo(0.95 ** 3, 10)
    expect(clean(1)).toBeCloseTo(0.95 ** 4, 10)
  })

  it('waits as long as it was asked to, and no longer than the maximum', () => {
    const memory = newMemory(band.baselineMs, 0)
    const wait = (ms: number): number =>
      learn(memory, look(memory.lastLookAt + band.baselineMs, 'limited', ms), band).gapMs
    expect(wait(20 * minuteMs)).toBe(20 * minuteMs)
    expect(wait(5 * hourMs)).toBe(hourMs)
  })

  it('keeps no calls in store for the day on which it ends', () => {
    const memory = newMemory(band.baselineMs, 0)
    let at = band.baselineMs
    for (let run = 0; run < 5000; run++) {
      at += learn(memory, look(at, run % 20 === 0 ? 'limited' : 'ok'), band).gapMs
    }
    memory.floorMs = 0
    let calls = 0
    for (const end = at + dayMs; at < end; calls++) at += learn(memory, look(at, 'ok'), band).gapMs
    expect(calls).toBeLessThan(2.5 * 288)
  })
})
