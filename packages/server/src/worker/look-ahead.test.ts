import { describe, expect, it } from 'vitest'
import type { Claim } from '../store/index.js'
import { LookAhead } from './look-ahead.js'

const now = 1_000_000
const limits = { withinMs: 300, crowd: 3000, crowdWithinMs: 1000, pollMs: 2000 }

function claimWith(fields: Partial<Claim>): Claim {
  return {
    now,
    claimed: [],
    ended: [],
    full: false,
    nextWakeAt: null,
    nextCrowdAt: null,
    ...fields,
  }
}

describe('LookAhead', () => {
  it.each([
    ['nothing is stored', {}, 2000],
    ['the next wakes after the longest sleep', { nextWakeAt: now + 9000 }, 2000],
    ['the next comes in sight soon', { nextWakeAt: now + 1300 }, 1000],
    ['the next is in sight, and not ours', { nextWakeAt: now + 300 }, 300],
    ['the next was due before', { nextWakeAt: now - 5 }, 20],
    ['a crowd comes', { nextWakeAt: now + 1200, nextCrowdAt: now + 1500 }, 500],
    ['a crowd comes after others', { nextWakeAt: now + 700, nextCrowdAt: now + 1900 }, 400],
  ])('sleeps until something can be claimed: %s', (_, fields, expected) => {
    const lookAhead = new LookAhead(limits)
    expect(lookAhead.sleepAfter(claimWith(fields))).toBe(expected)
    expect(lookAhead.withinMs).toBe(300)
  })

  it('looks further at once when a crowd is near', () => {
    const lookAhead = new LookAhead(limits)
    const near = claimWith({ nextWakeAt: now + 900, nextCrowdAt: now + 1000 })
    expect(lookAhead.sleepAfter(near)).toBe(0)
    expect(lookAhead.withinMs).toBe(1000)
  })

  it('waits for a crowd that others are taking, then looks less far again', () => {
    const lookAhead = new LookAhead(limits)
    const near = claimWith({ nextWakeAt: now + 900, nextCrowdAt: now + 950 })
    lookAhead.sleepAfter(near)
    expect(lookAhead.sleepAfter(near)).toBe(600)
    expect(lookAhead.sleepAfter(claimWith({ nextWakeAt: now + 600 }))).toBe(300)
    expect(lookAhead.withinMs).toBe(300)
  })

  it('goes on at once after a full claim, as far ahead as before', () => {
    const lookAhead = new LookAhead(limits)
    const full = claimWith({ full: true, nextWakeAt: now })
    expect(lookAhead.sleepAfter(full)).toBe(0)
    expect(lookAhead.withinMs).toBe(300)
  })

  it('looks as far to the end of a crowd', () => {
    const lookAhead = new LookAhead(limits)
    lookAhead.sleepAfter(claimWith({ full: true, nextWakeAt: now, nextCrowdAt: now + 800 }))
    expect(lookAhead.withinMs).toBe(1000)
    expect(lookAhead.sleepAfter(claimWith({ full: true, nextWakeAt: now }))).toBe(0)
    expect(lookAhead.withinMs).toBe(1000)
    expect(lookAhead.sleepAfter(claimWith({ nextWakeAt: now + 5000 }))).toBe(2000)
    expect(lookAhead.withinMs).toBe(300)
  })

  it('goes on at once after a claim that was settled, no further ahead than before', () => {
    const lookAhead = new LookAhead(limits)
    expect(lookAhead.sleepAfter(claimWith({ full: true }))).toBe(0)
    expect(lookAhead.withinMs).toBe(300)
  })
})
