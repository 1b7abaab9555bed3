import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { learn } from './learner.js'
import { newMemory } from './memory.js'

const minuteMs = 60_000

/** Of all gaps below, and of what is remembered in the end: a change of it is a change of the learner. */
const digest = '61726767501107f0ae6df67d649c944a4f13dce253b4c60e9e3dbadfef397584'

/** Whole numbers alone, so that the questions are the same everywhere. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
}

describe('the learner', () => {
  it('decides the same on every machine and in every version of Node', () => {
    const hash = createHash('sha256')
    for (let seed = 1; seed <= 20; seed++) {
      const next = numbers(seed)
      const baselineMs = (1 + (next() % 60)) * minuteMs
      const band = {
        baselineMs,
        minMs: 30_000,
        maxMs: 12 * baselineMs,
        budget: (1 + (seed % 4)) / 4,
      }
      const memory = newMemory(baselineMs, 1_700_000_000_000)
      for (let at = memory.since + baselineMs, look = 0; look < 1500; look++) {
        const chance = next() % 100
        const kind = chance < 90 ? 'ok' : chance < 96 ? 'down' : 'limited'
        const changed = (at / minuteMs) % 60 < 12 ? next() % 2 === 0 : next() % 50 === 0
        const { gapMs } = learn(memory, { at, kind, changed, retryAfterMs: null }, band)
        hash.update(Float64Array.of(gapMs))
        at += Math.round(gapMs)
      }
      for (const part of [memory.level, memory.views, memory.counts, memory.agesSeen])
        hash.update(part)
    }
    expect(hash.digest('hex')).toBe(digest)
  })
})
