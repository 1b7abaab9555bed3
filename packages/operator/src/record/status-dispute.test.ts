import { describe, expect, it } from 'vitest'
import { StatusDispute } from './status-dispute.js'

const ours = { lastOutcome: 'executed', activeCount: 1 } as const

function disputed(): StatusDispute {
  const dispute = new StatusDispute()
  dispute.wrote(ours)
  return dispute
}

/** The pauses before writing the same again, one each so many ms. */
const pauses = (dispute: StatusDispute, count: number, everyMs = 10, from = 0): number[] =>
  Array.from({ length: count }, (_, n) => dispute.pauseMs(ours, from + n * everyMs))

describe('a status that somebody else changes back and forth', () => {
  it('is set right at once five times, and then once a second', () => {
    expect(pauses(disputed(), 7)).toEqual([0, 0, 0, 0, 0, 990, 980])
  })

  it('may be set right again a second after the last time', () => {
    const dispute = disputed()
    pauses(dispute, 5)
    expect(dispute.pauseMs(ours, 1039)).toBe(1)
    expect(dispute.pauseMs(ours, 1040)).toBe(0)
    expect(dispute.pauseMs(ours, 1041)).toBe(999)
  })

  it('is forgotten two seconds after the last time', () => {
    const soon = disputed()
    pauses(soon, 5)
    expect(pauses(soon, 2, 10, 2040)).toEqual([0, 990])
    const later = disputed()
    pauses(later, 5)
    expect(pauses(later, 6, 10, 2041)).toEqual([0, 0, 0, 0, 0, 990])
  })

  it('counts also when the clock is set back', () => {
    const dispute = disputed()
    pauses(dispute, 5, 10, 10_000)
    expect(dispute.pauseMs(ours, 9540)).toBe(500)
  })

  it('is one too when what we erased comes back', () => {
    const dispute = disputed()
    const patch = { lastReason: null }
    expect(Array.from({ length: 6 }, (_, n) => dispute.pauseMs(patch, n))).toEqual([
      0, 0, 0, 0, 0, 999,
    ])
  })
})

describe('what is no dispute', () => {
  it.each([
    ['a first status', new StatusDispute(), ours],
    ['a status that says something new', disputed(), { lastOutcome: 'executed', activeCount: 2 }],
    ['one that says something more', disputed(), { ...ours, lastReason: 'late' }],
  ])('is written at once: %s', (_, dispute, patch) => {
    const written = Array.from({ length: 20 }, (__, n) => dispute.pauseMs(patch, n))
    expect(written).toEqual(Array(20).fill(0))
  })
})
